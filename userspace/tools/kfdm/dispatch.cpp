// SPDX-License-Identifier: MIT
/*
 * dispatch.cpp - `kfdm dispatch`: one's own kernel with simple arguments.
 *
 *     kfdm dispatch vadd.co vadd --grid 1024 --workgroup 64 buffer:4096=a.bin buffer:4096=b.bin buffer:4096 u32:1024 \
 *          --dump 2:out.bin --print 2:f32:8
 */
#include <charconv>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <kfdm/program.hpp>

#include "commands.hpp"

namespace kfdm::tool {

namespace {

struct Options {
	unsigned gpu = 0;
	std::string file, kernel;
	std::vector<uint32_t> grid{64}, workgroup{64};
	uint32_t group_bytes = 0, timeout_s = 600;
	std::vector<std::string> arguments, dumps, prints;
};

[[noreturn]] void bad(const std::string &what) { throw_error(EINVAL, what); }

template <typename T> T parse_number(std::string_view text, std::string_view whole)
{
	T value{};
	int base = 10;

	if constexpr (std::is_integral_v<T>) {
		if (text.starts_with("0x")) {
			text.remove_prefix(2);
			base = 16;
		}
		auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
		if (error != std::errc() || last != text.data() + text.size())
			bad(fmt::format("'{}' holds no number that fits", whole));
	} else {
		auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), value);
		if (error != std::errc() || last != text.data() + text.size())
			bad(fmt::format("'{}' holds no number", whole));
	}
	return value;
}

/* "kind:rest" */
std::pair<std::string_view, std::string_view> split(std::string_view text, char at = ':')
{
	size_t colon = text.find(at);

	return colon == std::string_view::npos ? std::pair(text, std::string_view()) :
						 std::pair(text.substr(0, colon), text.substr(colon + 1));
}

class Run {
public:
	Run(Device &device, const Options &options)
		: device_(device), options_(options), program_(Program::load(device, CodeObject::read(options.file))),
		  launch_(device, program_.kernel(options.kernel), shape(options)), queue_(device)
	{
		for (const std::string &argument : options.arguments)
			add(argument);
		if (uint32_t scratch = program_.object().kernel(options.kernel).private_bytes)
			queue_.set_scratch(scratch, device.node().cu_count() * 32);
	}

	void run();

private:
	static Shape shape(const Options &options);
	void add(std::string_view argument);
	void add_buffer(std::string_view spec);
	Buffer &buffer(std::string_view number);
	void dump(std::string_view spec);
	void print(std::string_view spec);
	template <typename T> void print_values(Buffer &from, size_t count);

	Device &device_;
	const Options &options_;
	Program program_;
	Launch launch_;
	AqlQueue queue_;
	std::vector<std::optional<Buffer>> buffers_; /* by argument */
};

Shape Run::shape(const Options &options)
{
	Shape shape{.workgroup = {1, 1, 1}, .dynamic_group_bytes = options.group_bytes};

	std::copy(options.grid.begin(), options.grid.end(), shape.grid.begin());
	for (size_t i = 0; i < options.workgroup.size(); i++)
		shape.workgroup[i] = static_cast<uint16_t>(options.workgroup[i]);
	return shape;
}

void Run::add(std::string_view argument)
{
	auto [kind, value] = split(argument);

	buffers_.emplace_back();
	if (kind == "u32")
		launch_.arg(parse_number<uint32_t>(value, argument));
	else if (kind == "i32")
		launch_.arg(parse_number<int32_t>(value, argument));
	else if (kind == "u64")
		launch_.arg(parse_number<uint64_t>(value, argument));
	else if (kind == "i64")
		launch_.arg(parse_number<int64_t>(value, argument));
	else if (kind == "f32")
		launch_.arg(parse_number<float>(value, argument));
	else if (kind == "f64")
		launch_.arg(parse_number<double>(value, argument));
	else if (kind == "buffer")
		add_buffer(value);
	else
		bad(fmt::format("argument '{}' is none of u32: i32: u64: i64: f32: f64: buffer:", argument));
}

void Run::add_buffer(std::string_view spec)
{
	auto [size, file] = split(spec, '=');
	auto bytes = parse_number<uint64_t>(size, spec);
	Buffer memory = Buffer::vram(device_, bytes);

	if (!file.empty()) {
		std::ifstream in{std::string(file), std::ios::binary};

		if (!in)
			throw_errno(fmt::format("cannot open {}", file));
		in.read(static_cast<char *>(memory.data()), static_cast<std::streamsize>(bytes));
	}
	launch_.arg(memory);
	buffers_.back() = std::move(memory);
}

Buffer &Run::buffer(std::string_view number)
{
	auto index = parse_number<size_t>(number, number);

	if (index >= buffers_.size() || !buffers_[index])
		bad(fmt::format("argument {} is no buffer", index));
	return *buffers_[index];
}

void Run::dump(std::string_view spec)
{
	auto [number, file] = split(spec);
	Buffer &from = buffer(number);
	std::ofstream out{std::string(file), std::ios::binary};

	out.write(static_cast<const char *>(from.data()), static_cast<std::streamsize>(from.size()));
	if (!out)
		throw_errno(fmt::format("cannot write {}", file));
}

template <typename T> void Run::print_values(Buffer &from, size_t count)
{
	std::span<T> values = from.as<T>();

	fmt::print("{}\n", fmt::join(values.first(std::min(count, values.size())), " "));
}

void Run::print(std::string_view spec)
{
	auto [number, rest] = split(spec);
	auto [type, text] = split(rest);
	size_t count = text.empty() ? 16 : parse_number<size_t>(text, spec);
	Buffer &from = buffer(number);

	fmt::print("argument {}: ", number);
	if (type == "u32")
		print_values<uint32_t>(from, count);
	else if (type == "i32")
		print_values<int32_t>(from, count);
	else if (type == "u64")
		print_values<uint64_t>(from, count);
	else if (type == "f32")
		print_values<float>(from, count);
	else if (type == "f64")
		print_values<double>(from, count);
	else
		bad(fmt::format("'{}' is not NUMBER:u32|i32|u64|f32|f64[:COUNT]", spec));
}

void Run::run()
{
	auto start = std::chrono::steady_clock::now();
	launch_.run(queue_, std::chrono::seconds(options_.timeout_s));
	std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
	double ticks = static_cast<double>(launch_.signal().end_ticks() - launch_.signal().start_ticks());

	fmt::print("{}: {} workgroups, {} waves, {:.2f} us of virtual time, {:.1f} ms of wall time\n", options_.kernel,
		   launch_.shape().workgroups(), launch_.shape().waves(), ticks * 1e6 / static_cast<double>(device_.gpu_clock_hz()),
		   wall.count());
	for (const std::string &spec : options_.prints)
		print(spec);
	for (const std::string &spec : options_.dumps)
		dump(spec);
}

} // namespace

/* "640,480": one to three numbers from 1 to limit. */
static std::vector<uint32_t> dimensions(const std::string &text, uint64_t limit)
{
	std::vector<uint32_t> numbers;

	for (const std::string &word : CLI::detail::split(text, ',')) {
		uint64_t n = 0;
		if (!CLI::detail::lexical_cast(word, n) || n < 1 || n > limit)
			throw CLI::ValidationError(fmt::format("'{}' is not one to three numbers from 1 to {}", text, limit));
		numbers.push_back(static_cast<uint32_t>(n));
	}
	if (numbers.empty() || numbers.size() > 3)
		throw CLI::ValidationError(fmt::format("'{}' is not one to three numbers from 1 to {}", text, limit));
	return numbers;
}

void add_dispatch(CLI::App &app, int *exit_code)
{
	CLI::App *dispatch = app.add_subcommand("dispatch", "Run a kernel of your own code object");
	auto o = std::make_shared<Options>();

	dispatch->add_option("FILE", o->file, "Code object (.co, .hsaco)")->required();
	dispatch->add_option("KERNEL", o->kernel, "Kernel, as `kfdm kernels` lists it")->required();
	dispatch->add_option("ARGUMENT", o->arguments,
			     "Arguments in order: u32:N i32:N u64:N i64:N f32:X f64:X, or buffer:BYTES[=FILE], zeroed or filled "
			     "from FILE");
	dispatch->add_option_function<std::string>(
		"--grid", [o](const std::string &text) { o->grid = dimensions(text, UINT32_MAX); },
		"Work-items in each dimension, e.g. --grid 640,480 (default 64)");
	dispatch->add_option_function<std::string>(
		"--workgroup", [o](const std::string &text) { o->workgroup = dimensions(text, 1024); },
		"Work-items of a workgroup (default 64)");
	dispatch->add_option("--lds", o->group_bytes, "Dynamic LDS of a workgroup, bytes");
	dispatch->add_option("--print", o->prints, "NUMBER:TYPE[:COUNT]: print the start of buffer argument NUMBER (from 0)");
	dispatch->add_option("--dump", o->dumps, "NUMBER:FILE: write buffer argument NUMBER to FILE");
	dispatch->add_option("-g,--gpu", o->gpu, "GPU, counted from 0");
	dispatch->add_option("-t,--timeout", o->timeout_s, "Seconds that the kernel may take")->capture_default_str();
	dispatch->callback([=] {
		Kfd kfd = Kfd::open();
		Device device = Device::open(kfd, Topology::read().gpu(o->gpu));

		Run(device, *o).run();
		*exit_code = 0;
	});
}

} // namespace kfdm::tool
