// SPDX-License-Identifier: MIT
//
// scopes.h - what reads past the L1, and what has an atomic return the old value: GFX942 says how far the others may be instead.
#ifdef __gfx942__
#define PAST_L1 sc1
#define RETURNS sc0
#else
#define PAST_L1 glc
#define RETURNS glc
#endif
