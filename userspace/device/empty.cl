// SPDX-License-Identifier: MIT
/*
 * empty.cl - a kernel that does nothing: what remains is the way to it and back.
 */
__kernel void empty(void)
{
}
