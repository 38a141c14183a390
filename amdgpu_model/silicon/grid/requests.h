// SPDX-License-Identifier: MIT
/* requests.h - what is to be dealt and placed as soon as time passes. */
#pragma once

#include "../base/types.h"

namespace silicon {

/** Lines that any part of the shader core may raise; the ACEs and the SPI lower them, and the sequencer's turn ends when one is raised. */
struct Requests {
	u32 deal;   /* a bit a pipe: it may have something to deal */
	bool offer; /* workgroups that are staged look for room anew */

	bool any() const { return deal || offer; }
};

} // namespace silicon
