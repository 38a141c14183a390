// SPDX-License-Identifier: MIT
/*
 * topology.cpp - reads the topology as libhsakmt does: generation, everything, generation again.
 */
#include <kfdm/topology.hpp>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include <kfdm/error.hpp>

namespace kfdm {

namespace {

std::string read_file(const std::string &path)
{
	std::ifstream in(path);
	std::ostringstream text;

	if (!in)
		throw_errno("cannot read " + path);
	text << in.rdbuf();
	return text.str();
}

uint64_t read_number(const std::string &path)
{
	std::string text = read_file(path);
	uint64_t value = 0;

	std::from_chars(text.data(), text.data() + text.size(), value);
	return value;
}

/* The property files of FOLDER/0, FOLDER/1, ... */
std::vector<Properties> read_all(const std::string &folder, uint64_t count)
{
	std::vector<Properties> all;

	for (uint64_t i = 0; i < count; i++)
		all.push_back(Properties::parse(read_file(fmt::format("{}/{}/properties", folder, i))));
	return all;
}

Node read_node(const std::string &root, unsigned index)
{
	std::string folder = fmt::format("{}/nodes/{}", root, index);
	Node node;

	node.index = index;
	node.gpu_id = static_cast<uint32_t>(read_number(folder + "/gpu_id"));
	node.name = read_file(folder + "/name");
	while (!node.name.empty() && node.name.back() == '\n')
		node.name.pop_back();
	node.properties = Properties::parse(read_file(folder + "/properties"));
	node.mem_banks = read_all(folder + "/mem_banks", node.properties["mem_banks_count"]);
	node.caches = read_all(folder + "/caches", node.properties["caches_count"]);
	node.io_links = read_all(folder + "/io_links", node.properties["io_links_count"]);
	return node;
}

} // namespace

Properties Properties::parse(std::string_view text)
{
	Properties properties;

	while (!text.empty()) {
		size_t end = std::min(text.find('\n'), text.size());
		std::string_view line = text.substr(0, end);
		text.remove_prefix(std::min(end + 1, text.size()));

		size_t space = line.find(' ');
		uint64_t value = 0;
		if (space == std::string_view::npos)
			continue;
		auto [last, error] = std::from_chars(line.data() + space + 1, line.data() + line.size(), value);
		if (error == std::errc() && last == line.data() + line.size())
			properties.values_.emplace(line.substr(0, space), value);
	}
	return properties;
}

uint64_t Properties::operator[](std::string_view name) const
{
	auto found = values_.find(name);

	return found == values_.end() ? 0 : found->second;
}

unsigned Node::cu_count() const
{
	uint64_t simds = properties["simd_per_cu"];

	return simds ? static_cast<unsigned>(properties["simd_count"] / simds) : 0;
}

unsigned Node::xcc_count() const { return static_cast<unsigned>(std::max<uint64_t>(properties["num_xcc"], 1)); }

std::string Node::isa() const { return isa_name(properties["gfx_target_version"]); }

std::string Node::render_path() const { return fmt::format("/dev/dri/renderD{}", properties["drm_render_minor"]); }

uint64_t Node::memory_bytes() const
{
	uint64_t bytes = 0;

	for (const Properties &bank : mem_banks)
		bytes += bank["size_in_bytes"];
	return bytes;
}

Topology Topology::read(const std::string &root)
{
	for (;;) {
		Topology topology;

		topology.generation_ = read_number(root + "/generation_id");
		for (unsigned i = 0; std::filesystem::exists(fmt::format("{}/nodes/{}", root, i)); i++)
			topology.nodes_.push_back(read_node(root, i));
		if (read_number(root + "/generation_id") == topology.generation_)
			return topology;
	}
}

const Node &Topology::gpu(unsigned index) const
{
	for (const Node &node : nodes_) {
		if (node.is_gpu() && index-- == 0)
			return node;
	}
	throw_error(ENODEV, "the topology has no such GPU");
}

unsigned Topology::gpu_count() const noexcept
{
	unsigned count = 0;

	for (const Node &node : nodes_)
		count += node.is_gpu();
	return count;
}

std::string isa_name(uint64_t version) { return fmt::format("gfx{}{:x}{:x}", version / 10000, version / 100 % 100, version % 100); }

} // namespace kfdm
