// SPDX-License-Identifier: MIT
/* html.hpp - an experiment's outcome as one page that needs no other file. */
#pragma once

#include <string>

#include "report.hpp"

namespace kfdm::exp {

/** What stands above the outcome. */
struct PageHead {
	std::string name, help; /**< of the experiment */
	std::string command;	/**< that made the page */
	std::string version;	/**< of kfdm */
};

/** Summary as printed, pictures, and the JSON's values as tables. */
std::string html_page(const PageHead &head, const Report &report);

} // namespace kfdm::exp
