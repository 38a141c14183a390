// SPDX-License-Identifier: MIT
/* html_test.cpp - a page of an experiment needs nothing else, and what is in it is text. */
#include <gtest/gtest.h>

#include "exp/html.hpp"

using namespace kfdm::exp;

namespace {

Report a_report()
{
	Report report;

	report.text = "a < b & c\n";
	report.json = {{"chip", "radeon_vii"},
		       {"points", {{{"x", 1}, {"y", 2.5}}, {{"x", 2}, {"note", "<b>"}}}},
		       {"matrix", {{1, 2}, {3, 4}}},
		       {"list", {7, 8}},
		       {"inner", {{"mean", 1.25}}}};
	report.pictures = {"<svg id=\"first\"></svg>\n", "<svg id=\"second\"></svg>\n"};
	return report;
}

size_t count(const std::string &text, const std::string &what)
{
	size_t n = 0;

	for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
		n++;
	return n;
}

} // namespace

TEST(HtmlPage, HasAllPicturesAndValues)
{
	const std::string page = html_page({"demo", "What it is", "kfdm exp demo", "kfdm 1"}, a_report());

	EXPECT_EQ(page.substr(0, 15), "<!DOCTYPE html>");
	EXPECT_EQ(count(page, "<svg "), 2u);
	EXPECT_EQ(count(page, "<table>"), count(page, "</table>"));
	EXPECT_NE(page.find("<tr><th>x</th><th>y</th><th>note</th></tr>"), std::string::npos);
	EXPECT_NE(page.find("<td>2.5</td>"), std::string::npos);
	EXPECT_NE(page.find("<td>3</td><td>4</td>"), std::string::npos);
	EXPECT_NE(page.find("<td>7</td><td>8</td>"), std::string::npos);
	EXPECT_NE(page.find("1.25"), std::string::npos);
}

TEST(HtmlPage, EscapesText)
{
	const std::string page = html_page({"demo", "<i>", "sh -c \"a\"", "kfdm 1"}, a_report());

	EXPECT_NE(page.find("a &lt; b &amp; c"), std::string::npos);
	EXPECT_NE(page.find("&lt;b&gt;"), std::string::npos);
	EXPECT_EQ(page.find("<b>"), std::string::npos);
	EXPECT_EQ(page.find("<i>"), std::string::npos);
}

TEST(HtmlPage, NamesNoOtherFile)
{
	const std::string page = html_page({"demo", "help", "kfdm exp demo", "kfdm 1"}, a_report());

	for (const char *word : {"src=", "href=", "@import", "url("})
		EXPECT_EQ(page.find(word), std::string::npos) << word;
}
