// SPDX-License-Identifier: MIT
/*
 * syzlang.cpp - reads descriptions. First all files are taken apart into texts, since names may be used before they are
 * defined; syzlang_types.cpp then makes types of what the calls use.
 */
#include "syzlang.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <sstream>

namespace kfdm::fuzz {

class Description::Reader {
public:
	Reader(Description &description, std::string_view text, const std::string &file) : to_(description), text_(text), file_(file) {}
	void all()
	{
		while (skip_lines(), !at_end())
			definition();
	}

private:
	[[noreturn]] void fail(const std::string &what) { Description::fail(here(""), what); }
	Text here(std::string word)
	{
		Text text;

		text.word = std::move(word);
		text.file = file_;
		text.line = line_;
		return text;
	}
	bool at_end() const { return at_ >= text_.size(); }
	char peek() const { return at_end() ? '\n' : text_[at_]; }
	void blanks()
	{
		while (!at_end() && (peek() == ' ' || peek() == '\t'))
			at_++;
		if (peek() == '#')
			while (!at_end() && peek() != '\n')
				at_++;
	}
	void skip_lines()
	{
		for (blanks(); !at_end() && peek() == '\n'; blanks()) {
			at_++;
			line_++;
		}
	}
	bool take(char c)
	{
		blanks();
		if (at_end() || peek() != c)
			return false;
		at_++;
		return true;
	}
	void want(char c)
	{
		if (!take(c))
			fail(std::string("expected '") + c + "'");
	}
	void end_of_line()
	{
		blanks();
		if (!at_end() && peek() != '\n')
			fail("something follows");
	}
	static bool of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '-'; }
	Text word()
	{
		blanks();
		const size_t from = at_;

		while (!at_end() && of_word(peek()))
			at_++;
		if (at_ == from)
			fail("expected a name");
		return here(std::string(text_.substr(from, at_ - from)));
	}
	Text quoted()
	{
		const size_t end = text_.find('"', at_);

		if (end == std::string_view::npos)
			fail("a string does not end");
		Text text = here(std::string(text_.substr(at_, end - at_)));

		text.quoted = true;
		at_ = end + 1;
		return text;
	}
	Text type()
	{
		if (take('"'))
			return quoted();
		Text text = word();

		if (take('[')) {
			do
				text.inner.push_back(type());
			while (take(','));
			want(']');
		}
		while (take(':'))
			text.range.push_back(word());
		return text;
	}
	std::vector<std::string> words(char open, char close)
	{
		std::vector<std::string> list;

		if (take(open)) {
			do
				list.push_back(word().word);
			while (take(','));
			want(close);
		}
		return list;
	}
	void members(Body &body, char close)
	{
		for (skip_lines(); !take(close); skip_lines()) {
			Body::Member member{word(), type(), {}};

			member.attributes = words('(', ')');
			end_of_line();
			body.members.push_back(std::move(member));
		}
		body.attributes = words('[', ']');
		end_of_line();
	}
	void composite(const Text &name, Body body, char open)
	{
		body.is_union = open == '[';
		body.where = name;
		members(body, open == '[' ? ']' : '}');
		if (!to_.bodies_.emplace(name.word, std::move(body)).second)
			fail(name.word + " is defined twice");
	}
	void call(const Text &name)
	{
		Body body;

		body.where = name;
		if (!take(')')) {
			do
				body.members.push_back({word(), type(), {}});
			while (take(','));
			want(')');
		}
		blanks();
		if (peek() != '\n')
			body.result = word();
		end_of_line();
		to_.written_calls_.emplace_back(std::move(body), name.word);
	}
	void resource()
	{
		Resource made;

		made.name = word().word;
		want('[');
		made.base = word().word;
		want(']');
		if (take(':')) {
			do
				made.special.push_back(to_.number(word()));
			while (take(','));
		}
		end_of_line();
		if (!to_.resources_.emplace(made.name, made).second)
			fail(made.name + " is defined twice");
	}
	void definition()
	{
		const Text name = word();

		if (name.word == "include") { /* CMake reads these */
			at_ = std::min(text_.find('\n', at_), text_.size());
		} else if (name.word == "resource") {
			resource();
		} else if (name.word == "type") {
			const Text of = word();
			Body body;

			body.parameters = words('[', ']');
			want('{');
			composite(of, std::move(body), '{');
		} else if (take('(')) {
			call(name);
		} else if (take('{')) {
			composite(name, {}, '{');
		} else if (take('[')) {
			composite(name, {}, '[');
		} else {
			want('=');
			std::vector<Text> &values = to_.flags_[name.word];

			do
				values.push_back(type());
			while (take(','));
			end_of_line();
		}
	}

	Description &to_;
	std::string_view text_;
	std::string file_;
	size_t at_ = 0;
	int line_ = 1;
};

void Description::fail(const Text &text, const std::string &what)
{
	throw SyntaxError(text.file + ":" + std::to_string(text.line) + ": " + text.word + (text.word.empty() ? "" : ": ") + what);
}

void Description::read(std::string_view text, const std::string &file) { Reader(*this, text, file).all(); }

void Description::read_file(const std::string &path)
{
	std::ifstream in(path);
	std::ostringstream text;

	if (!in)
		throw SyntaxError(path + ": cannot be read");
	text << in.rdbuf();
	read(text.str(), path.substr(path.rfind('/') + 1));
}

uint64_t Description::number(const Text &text) const
{
	const std::string &word = text.word;
	const bool negative = word.starts_with('-');
	const std::string digits = word.substr(negative ? 1 : 0);
	const bool hex = digits.starts_with("0x");
	uint64_t value = 0;

	if (!digits.empty() && std::isdigit(static_cast<unsigned char>(digits[0]))) {
		const char *from = digits.data() + (hex ? 2 : 0), *end = digits.data() + digits.size();
		const auto [stop, error] = std::from_chars(from, end, value, hex ? 16 : 10);

		if (error != std::errc() || stop != end)
			fail(text, "not a number");
	} else if (const auto named = constant(digits)) {
		value = *named;
	} else {
		fail(text, "no header defines it");
	}
	return negative ? -value : value;
}

int Description::find(std::string_view name) const
{
	const auto at = std::lower_bound(calls_.begin(), calls_.end(), name, [](const Call &a, std::string_view b) { return a.name < b; });

	return at != calls_.end() && at->name == name ? static_cast<int>(at - calls_.begin()) : -1;
}

bool Description::fits(const Resource &have, const Resource &want) const
{
	for (const Resource *at = &have; at;) {
		if (at == &want)
			return true;
		const auto base = resources_.find(at->base);

		at = base == resources_.end() ? nullptr : &base->second;
	}
	return false;
}

const Type *Description::composite(std::string_view name) const
{
	const auto found = made_.find(name);

	return found == made_.end() ? nullptr : found->second;
}

} // namespace kfdm::fuzz
