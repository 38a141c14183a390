// SPDX-License-Identifier: MIT
/* node.cc - printing and shrinking of program trees. */
#include "generator.h"

namespace isa_fuzz {

std::string Node::print() const
{
	std::string result;

	if (list) {
		for (const Node &part : parts)
			result += part.print();
		return result;
	}
	for (size_t i = 0; i < text.size(); i++) {
		if (text[i] == '$' && i + 1 < text.size())
			result += parts.at(static_cast<size_t>(text[++i] - '0')).print();
		else
			result += text[i];
	}
	return result;
}

unsigned Node::size() const
{
	unsigned n = 1;

	for (const Node &part : parts)
		n += part.size();
	return n;
}

namespace {

struct Shrinker {
	Node root;
	const std::function<bool(const Node &)> &still_wrong;
	unsigned left;

	/** Node at hand is part of root: put other in its place if the result is still wrong. */
	bool replace(Node &place, Node other)
	{
		if (!left)
			return false;
		left--;
		std::swap(place, other);
		if (still_wrong(root))
			return true;
		std::swap(place, other);
		return false;
	}

	bool drop_parts(Node &node)
	{
		bool any = false;

		/* Large pieces first. */
		for (size_t count = node.parts.size(); count; count /= 2)
			for (size_t at = 0; at + count <= node.parts.size() && left;) {
				Node fewer = node;

				fewer.parts.erase(fewer.parts.begin() + static_cast<long>(at),
						  fewer.parts.begin() + static_cast<long>(at + count));
				if (replace(node, fewer))
					any = true;
				else
					at += count;
			}
		return any;
	}

	bool simplify(Node &node)
	{
		if (node.parts.empty())
			return false;
		if (replace(node, Node{"1", node.type, false, {}}))
			return true;
		for (size_t i = 0; i < node.parts.size(); i++)
			if (node.parts[i].type == node.type && replace(node, Node(node.parts[i])))
				return true;
		return false;
	}

	bool pass(Node &node)
	{
		bool any = node.list ? drop_parts(node) : node.type ? simplify(node) : false;

		for (size_t i = 0; i < node.parts.size(); i++)
			any |= pass(node.parts[i]);
		return any;
	}
};

} // namespace

Node shrink(Node program, const std::function<bool(const Node &)> &still_wrong, unsigned attempts)
{
	Shrinker s{std::move(program), still_wrong, attempts};

	while (s.left && s.pass(s.root))
		;
	return s.root;
}

} // namespace isa_fuzz
