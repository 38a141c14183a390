// SPDX-License-Identifier: MIT
/* files.cpp - see files.hpp. */
#include "files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <regex>

#include <fmt/format.h>

#include <kfdm/error.hpp>
#include <kfdm/unique_fd.hpp>

#include "check.hpp"

namespace kfdm::test {

std::string read_file(const std::string &path)
{
	UniqueFd fd(checked_open(path.c_str(), O_RDONLY));
	std::string text;
	char part[4096];

	for (ssize_t n; (n = read(fd.get(), part, sizeof(part))) > 0;)
		text.append(part, static_cast<size_t>(n));
	return text;
}

void write_file(const std::string &path, const std::string &text)
{
	UniqueFd fd(checked_open(path.c_str(), O_WRONLY | O_TRUNC));

	if (write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
		throw_errno("cannot write " + path);
}

std::vector<std::string> lines(const std::string &text)
{
	std::vector<std::string> all;

	for (size_t at = 0, end; at < text.size(); at = end + 1) {
		end = std::min(text.find('\n', at), text.size());
		all.push_back(text.substr(at, end - at));
	}
	return all;
}

void expect_forms(const std::string &file, const std::string &text, std::initializer_list<const char *> forms)
{
	for (const std::string &line : lines(text)) {
		const bool known = std::any_of(forms.begin(), forms.end(),
					       [&](const char *form) { return std::regex_match(line, std::regex(form)); });

		if (!CHECK(known)) {
			fmt::print("  {}: '{}'\n", file, line);
			return;
		}
	}
}

} // namespace kfdm::test
