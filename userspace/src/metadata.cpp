// SPDX-License-Identifier: MIT
/*
 * metadata.cpp - the MessagePack note that names kernels and their arguments.
 *
 * Keys: LLVM's AMDGPU usage document, "Code Object V3 Metadata". Foreign input: whatever is missing or of the wrong type
 * becomes a default or a sentence, never a crash.
 */
#include "elf_reader.hpp"

#include <stdexcept>

#include <nlohmann/json.hpp>

namespace kfdm {

namespace {

using Json = nlohmann::json;

uint32_t number(const Json &map, const char *key, uint32_t otherwise = 0)
{
	auto found = map.find(key);

	return found != map.end() && found->is_number_unsigned() ? found->get<uint32_t>() : otherwise;
}

std::string text(const Json &map, const char *key)
{
	auto found = map.find(key);

	return found != map.end() && found->is_string() ? found->get<std::string>() : std::string();
}

const Json &list(const Json &map, const char *key)
{
	static const Json empty = Json::array();
	auto found = map.find(key);

	return found != map.end() && found->is_array() ? *found : empty;
}

KernelInfo parse_kernel(const Json &map)
{
	KernelInfo kernel;

	if (!map.is_object())
		throw std::runtime_error("metadata of a kernel is no map");
	kernel.name = text(map, ".name");
	kernel.kernarg_bytes = number(map, ".kernarg_segment_size");
	kernel.kernarg_align = number(map, ".kernarg_segment_align", 16);
	kernel.group_bytes = number(map, ".group_segment_fixed_size");
	kernel.private_bytes = number(map, ".private_segment_fixed_size");
	kernel.max_workgroup = number(map, ".max_flat_workgroup_size", 1024);
	for (size_t i = 0; const Json &size : list(map, ".reqd_workgroup_size")) {
		if (i < 3 && size.is_number_unsigned())
			kernel.workgroup[i++] = size.get<uint32_t>();
	}
	for (const Json &arg : list(map, ".args")) {
		if (!arg.is_object())
			throw std::runtime_error("metadata of an argument is no map");
		kernel.arguments.push_back({text(arg, ".name"), text(arg, ".value_kind"), text(arg, ".type_name"), number(arg, ".offset"),
					    number(arg, ".size")});
	}
	return kernel;
}

} // namespace

std::vector<KernelInfo> parse_metadata(std::span<const uint8_t> messagepack)
{
	Json root = Json::from_msgpack(messagepack.begin(), messagepack.end(), true, false);
	std::vector<KernelInfo> kernels;

	if (root.is_discarded() || !root.is_object())
		throw std::runtime_error("metadata is not MessagePack");
	for (const Json &kernel : list(root, "amdhsa.kernels"))
		kernels.push_back(parse_kernel(kernel));
	return kernels;
}

} // namespace kfdm
