// SPDX-License-Identifier: MIT
/* html.cpp - see html.hpp. */
#include "html.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace kfdm::exp {

namespace {

using json = nlohmann::ordered_json;

constexpr const char *style = R"(
:root { color-scheme: light; }
body { font: 16px/1.5 "DejaVu Sans", Helvetica, sans-serif; color: #222; background: #fff; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; }
h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid #ddd; }
h3 { font-size: 1rem; margin-bottom: .3rem; }
p.help { color: #555; margin-top: .2rem; }
pre { background: #f6f6f6; padding: .8rem; overflow-x: auto; font: 13px/1.4 "DejaVu Sans Mono", monospace; }
figure { margin: 1.5rem 0; }
figure svg { max-width: 100%; height: auto; border: 1px solid #eee; }
div.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th, td { border: 1px solid #ddd; padding: .15rem .5rem; text-align: right; }
th { background: #f6f6f6; }
td.text { text-align: left; }
footer { margin-top: 3rem; color: #777; font-size: 13px; }
)";

std::string escape(const std::string &text)
{
	std::string out;

	for (char c : text)
		out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
	return out;
}

std::string scalar(const json &value)
{
	if (value.is_string())
		return value.get<std::string>();
	if (value.is_number_float())
		return fmt::format("{:.6g}", value.get<double>());
	return value.dump();
}

std::string cell(const json &value)
{
	const std::string text = value.is_structured() ? value.dump() : scalar(value);

	return fmt::format("<td{}>{}</td>", value.is_number() ? "" : " class=\"text\"", escape(text));
}

/* Rows that are objects: their columns, in the order in which they first come. */
std::vector<std::string> columns_of(const json &rows)
{
	std::vector<std::string> columns;

	for (const json &row : rows)
		for (const auto &[name, value] : row.items())
			if (std::find(columns.begin(), columns.end(), name) == columns.end())
				columns.push_back(name);
	return columns;
}

std::string table_of_objects(const json &rows)
{
	const std::vector<std::string> columns = columns_of(rows);
	std::string text = "<div class=\"table\"><table>\n<tr>";

	for (const std::string &column : columns)
		text += fmt::format("<th>{}</th>", escape(column));
	text += "</tr>\n";
	for (const json &row : rows) {
		text += "<tr>";
		for (const std::string &column : columns)
			text += row.contains(column) ? cell(row[column]) : "<td></td>";
		text += "</tr>\n";
	}
	return text + "</table></div>\n";
}

std::string table_of_arrays(const json &rows)
{
	std::string text = "<div class=\"table\"><table>\n";

	for (const json &row : rows) {
		text += "<tr>";
		for (const json &value : row)
			text += cell(value);
		text += "</tr>\n";
	}
	return text + "</table></div>\n";
}

bool all_of(const json &array, bool (json::*kind)() const noexcept)
{
	return !array.empty() && std::all_of(array.begin(), array.end(), [=](const json &value) { return (value.*kind)(); });
}

std::string values(const std::string &name, const json &value);

/* An object: what is single in it as one table, then the rest, each under its name. */
std::string object(const json &value)
{
	std::string singles, rest;

	for (const auto &[name, part] : value.items()) {
		if (part.is_structured())
			rest += values(name, part);
		else
			singles += fmt::format("<tr><th>{}</th>{}</tr>\n", escape(name), cell(part));
	}
	return (singles.empty() ? "" : "<div class=\"table\"><table>\n" + singles + "</table></div>\n") + rest;
}

std::string values(const std::string &name, const json &value)
{
	std::string text = fmt::format("<h3>{}</h3>\n", escape(name));

	if (value.is_object())
		return text + object(value);
	if (all_of(value, &json::is_object))
		return text + table_of_objects(value);
	if (all_of(value, &json::is_array))
		return text + table_of_arrays(value);
	return text + table_of_arrays(json::array({value}));
}

} // namespace

std::string html_page(const PageHead &head, const Report &report)
{
	const std::string title = fmt::format("kfdm exp {}", head.name);
	std::string page = fmt::format(
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
		"<h1>{}</h1>\n<p class=\"help\">{}</p>\n<pre>$ {}</pre>\n<h2>Outcome</h2>\n<pre>{}</pre>\n",
		escape(title), style, escape(title), escape(head.help), escape(head.command), escape(report.text));

	if (!report.pictures.empty())
		page += "<h2>Pictures</h2>\n";
	for (const std::string &picture : report.pictures)
		page += fmt::format("<figure>\n{}</figure>\n", picture);
	return page + "<h2>Values</h2>\n" + object(report.json) +
	       fmt::format("<footer>{}. Times are the model's virtual time.</footer>\n</body>\n</html>\n", escape(head.version));
}

} // namespace kfdm::exp
