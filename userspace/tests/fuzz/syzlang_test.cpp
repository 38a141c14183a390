// SPDX-License-Identifier: MIT
/*
 * syzlang_test.cpp - the reader of descriptions, and that the descriptions in this folder say the same as the kernel's headers.
 */
#include "program.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include <linux/kfd_ioctl.h>
#include <sys/ioctl.h>

using namespace kfdm::fuzz;

namespace {

std::string error_of(const std::string &text)
{
	Description description;

	try {
		description.read(text, "t");
		description.resolve();
	} catch (const SyntaxError &error) {
		return error.what();
	}
	return "";
}

const Field &field(const Type &type, std::string_view name)
{
	for (const Field &f : type.fields)
		if (f.name == name)
			return f;
	throw std::out_of_range(std::string(name));
}

} // namespace

TEST(Syzlang, LayoutIsThatOfC)
{
	Description description;

	description.read(R"(
resource thing[int32]: -1	# comment
open_it() thing
use_it(a thing, p ptr[inout, outer])
outer {
	first	int8
	second	int64[0:7]
	inner	array[small, 2]
	which	either
	result	thing	(out_overlay)
	more	int8
}
small {
	a	int16
	b	int8
} [packed]
either [
	a	const[3, int32]
	b	int64
]
)",
			 "t");
	description.resolve();
	const Type &outer = *description.composite("outer");

	EXPECT_EQ(field(outer, "second").offset, 8U);
	EXPECT_EQ(field(outer, "inner").offset, 16U);
	EXPECT_EQ(field(outer, "inner").type->size, 6U);
	EXPECT_EQ(field(outer, "which").offset, 24U);
	EXPECT_EQ(outer.size, 32U);
	EXPECT_EQ(field(outer, "result").offset, 0U);
	EXPECT_EQ(field(outer, "more").direction, Direction::Out);
	ASSERT_EQ(description.calls().size(), 2U);
	EXPECT_EQ(description.calls()[0].result->special, std::vector<uint64_t>{~0ULL});
}

TEST(Syzlang, TemplatesAreFilledIn)
{
	Description description;

	description.read("f(p ptr[in, pair[2, int16]])\ntype pair[ID, T] {\n\ta const[ID, int64]\n\tb array[T, 4]\n}\n", "t");
	description.resolve();
	const Type &pair = *description.calls()[0].arguments[0].type->element;

	EXPECT_EQ(pair.fields[0].type->value, 2U);
	EXPECT_EQ(pair.size, 16U);
}

TEST(Syzlang, MistakesHaveAPlace)
{
	EXPECT_EQ(error_of("f(a nothing)\n"), "t:1: nothing: no type of this name");
	EXPECT_EQ(error_of("\nf(a int32[3:1])\n"), "t:2: 3: an empty range");
	EXPECT_EQ(error_of("f(a const[NO_SUCH_NAME])\n"), "t:1: NO_SUCH_NAME: no header defines it");
	EXPECT_EQ(error_of("f(p ptr[in, s])\ns {\n\ta const[1]\n}\n"), "t:3: const: of what size?");
	EXPECT_EQ(error_of("s {\n\ta int8 (odd)\n}\nf(p ptr[in, s])\n"), "t:2: a: odd: no attribute that is known here");
	EXPECT_NE(error_of("f(a int8"), "");
	EXPECT_NE(error_of("f()\nf()\n"), "");
}

/* The number of an ioctl says how large its struct is. */
TEST(Descriptions, StructsAreAsLargeAsTheHeadersSay)
{
	Description description;
	int checked = 0;

	read_descriptions(description);
	for (const Call &call : description.calls()) {
		if (call.base != "ioctl" || call.arguments[1].type->kind != Type::Kind::Const)
			continue;
		const Type &pointed = *call.arguments[2].type->element;

		EXPECT_EQ(pointed.size, _IOC_SIZE(call.arguments[1].type->value)) << call.name;
		checked++;
	}
	EXPECT_GE(checked, 60);
}

TEST(Descriptions, FieldsLieWhereTheHeadersSay)
{
	Description description;

	read_descriptions(description);
#define SAME(type, name) EXPECT_EQ(field(*description.composite(#type), #name).offset, offsetof(struct type, name)) << #type "." #name
	SAME(kfd_ioctl_create_queue_args, doorbell_offset);
	SAME(kfd_ioctl_create_queue_args, queue_id);
	SAME(kfd_ioctl_create_queue_args, ctl_stack_size);
	SAME(kfd_ioctl_create_event_args, event_id);
	SAME(kfd_ioctl_wait_events_args, timeout);
	SAME(kfd_event_data, event_id);
	SAME(kfd_process_device_apertures, gpu_id);
	SAME(kfd_ioctl_get_tile_config_args, gpu_id);
	SAME(kfd_ioctl_get_dmabuf_info_args, dmabuf_fd);
	SAME(kfd_ioctl_alloc_memory_of_gpu_args, flags);
	SAME(kfd_ioctl_criu_args, op);
	SAME(kfd_ioctl_svm_args, attrs);
#undef SAME
}

/* What the driver's tables of ioctls name. */
std::set<std::string> names_in(const std::string &file, const std::regex &row)
{
	std::set<std::string> names;

	for (const char *module : {"/kfd_model", "/amdgpu_model"})
		for (const auto &entry : std::filesystem::recursive_directory_iterator(FUZZ_ROOT + std::string(module))) {
			if (entry.path().filename() != file)
				continue;
			std::ifstream in(entry.path());

			for (std::string line; std::getline(in, line);)
				if (std::smatch match; std::regex_search(line, match, row))
					names.insert(match[1]);
		}
	return names;
}

TEST(Descriptions, NoIoctlOfTheDriversTablesIsLeftOut)
{
	/* What the header, which is Linux 6.1's, does not have is described by its number under its name. */
	Description description;
	std::set<std::string> calls;

	read_descriptions(description);
	for (const Call &call : description.calls())
		calls.insert(call.name);
	const auto kfd = names_in("kfd_chardev.c", std::regex("(?:ROW\\(|= \\{ \\.cmd = )(AMDKFD_IOC_[A-Z_]+)"));
	const auto drm = names_in("amdgpu_kms.c", std::regex("DRM_IOCTL_DEF_DRV\\((AMDGPU_[A-Z_]+)"));

	EXPECT_GE(kfd.size(), 30U);
	EXPECT_GE(drm.size(), 16U);
	for (const std::string &name : kfd)
		EXPECT_TRUE(constant(name) || calls.contains("ioctl$" + name)) << name;
	for (const std::string &name : drm)
		EXPECT_TRUE(constant("DRM_IOCTL_" + name)) << name;
}

/* A resource that nothing makes could never be a good one. */
TEST(Descriptions, EveryResourceIsMadeBySomeCall)
{
	Description description;
	std::set<std::string> made;

	read_descriptions(description);
	const auto walk = [&](auto &&self, const Type &type, bool out) -> void {
		if (type.kind == Type::Kind::Resource && out)
			made.insert(type.resource->name);
		if (type.element)
			self(self, *type.element, type.kind == Type::Kind::Pointer ? type.direction == Direction::Out : out);
		for (const Field &f : type.fields)
			self(self, *f.type, f.direction ? *f.direction == Direction::Out : out);
	};
	for (const Call &call : description.calls()) {
		if (call.result)
			made.insert(call.result->name);
		for (const Field &argument : call.arguments)
			walk(walk, *argument.type, false);
	}
	for (const auto &[name, resource] : description.resources())
		EXPECT_TRUE(made.contains(name)) << name;
}
