// SPDX-License-Identifier: MIT
/*
 * demo.cpp - `kfdm demo`: three kernels from a plain OpenCL C source, through a queue, checked on the CPU.
 *
 * Path of each: arguments into GPU memory, an AQL packet, the doorbell; the thread then sleeps in the kernel until the
 * completion signal's interrupt sets its event. Every element is compared with the CPU's own result, bit by bit.
 */
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>
#include <random>
#include <vector>

#include <fmt/format.h>

#include <kfdm/lab.hpp>
#include <kfdm/program.hpp>
#include <kfdm/queue_place.hpp>

#include "commands.hpp"

namespace kfdm::tool {

namespace {

struct Options {
	unsigned gpu = 0;
	uint32_t elements = 100'003;
	uint32_t rows = 120;
	uint32_t timeout_s = 600;
	std::string file;
};

/* One kernel's line of the report. */
struct Result {
	std::string kernel;
	Shape shape;
	double virtual_us, wall_ms;
	uint64_t checked, wrong;
};

class Demo {
public:
	Demo(Device &device, const Options &options)
		: device_(device), options_(options), program_(Program::load(device, CodeObject::read(options.file))), queue_(device)
	{
	}

	void run();
	[[nodiscard]] bool report() const;
	void print_queue() const;

private:
	Result launch(const char *name, Launch &launch);
	void vector_add();
	void saxpy();
	void matrix_product();
	template <typename T> void check(Result *result, std::span<const T> got, std::span<const T> want);
	Buffer random_floats(uint32_t count);
	[[nodiscard]] Shape flat() const { return {.grid = {options_.elements, 1, 1}, .workgroup = {256, 1, 1}}; }

	Device &device_;
	const Options &options_;
	Program program_;
	AqlQueue queue_;
	std::mt19937 random_{906};
	std::vector<Result> results_;
};

Result Demo::launch(const char *name, Launch &launch)
{
	auto start = std::chrono::steady_clock::now();
	launch.run(queue_, std::chrono::seconds(options_.timeout_s));
	std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
	uint64_t ticks = launch.signal().end_ticks() - launch.signal().start_ticks();

	return {name, launch.shape(), static_cast<double>(ticks) * 1e6 / static_cast<double>(device_.gpu_clock_hz()), wall.count(), 0, 0};
}

template <typename T> void Demo::check(Result *result, std::span<const T> got, std::span<const T> want)
{
	for (size_t i = 0; i < want.size(); i++) {
		result->checked++;
		if (std::memcmp(&got[i], &want[i], sizeof(T)) == 0) /* all bits: NOLINT(bugprone-suspicious-memory-comparison) */
			continue;
		if (result->wrong++ < 3)
			fmt::print("  {}[{}] is {}, should be {}\n", result->kernel, i, got[i], want[i]);
	}
	results_.push_back(*result);
}

Buffer Demo::random_floats(uint32_t count)
{
	Buffer buffer = Buffer::vram(device_, count * sizeof(float));
	std::uniform_real_distribution<float> distribution(-1000, 1000);

	for (float &value : buffer.as<float>().first(count))
		value = distribution(random_);
	return buffer;
}

void Demo::vector_add()
{
	uint32_t n = options_.elements;
	Buffer a = random_floats(n), b = random_floats(n), out = Buffer::vram(device_, n * sizeof(float));
	std::vector<float> want(n);
	Launch run(device_, program_.kernel("vector_add"), flat());

	for (uint32_t i = 0; i < n; i++)
		want[i] = a.as<float>()[i] + b.as<float>()[i];
	run.arg(a).arg(b).arg(out).arg(n);
	Result result = launch("vector_add", run);
	check<float>(&result, out.as<float>(), want);
}

void Demo::saxpy()
{
	uint32_t n = options_.elements;
	float alpha = 1.25F;
	Buffer x = random_floats(n), y = random_floats(n);
	std::vector<float> want(n);
	Launch run(device_, program_.kernel("saxpy"), flat());

	for (uint32_t i = 0; i < n; i++)
		want[i] = std::fma(alpha, x.as<float>()[i], y.as<float>()[i]);
	run.arg(alpha).arg(x).arg(y).arg(n);
	Result result = launch("saxpy", run);
	check<float>(&result, y.as<float>(), want);
}

void Demo::matrix_product()
{
	uint32_t n = options_.rows, tiles = (n + 15) / 16 * 16;
	size_t bytes = size_t{n} * n * sizeof(uint32_t);
	Buffer a = Buffer::vram(device_, bytes), b = Buffer::vram(device_, bytes), c = Buffer::vram(device_, bytes);
	std::span<uint32_t> ma = a.as<uint32_t>(), mb = b.as<uint32_t>();
	std::vector<uint32_t> want(size_t{n} * n);
	Launch run(device_, program_.kernel("matrix_product"), {.grid = {tiles, tiles, 1}, .workgroup = {16, 16, 1}});

	for (size_t i = 0; i < want.size(); i++) {
		ma[i] = static_cast<uint32_t>(random_());
		mb[i] = static_cast<uint32_t>(random_());
	}
	for (size_t row = 0; row < n; row++) {
		for (size_t k = 0; k < n; k++) {
			for (size_t column = 0; column < n; column++)
				want[row * n + column] += ma[row * n + k] * mb[k * n + column];
		}
	}
	run.arg(a).arg(b).arg(c).arg(n);
	Result result = launch("matrix_product", run);
	check<uint32_t>(&result, c.as<uint32_t>(), want);
}

void Demo::run()
{
	vector_add();
	saxpy();
	matrix_product();
}

void Demo::print_queue() const
{
	fmt::print("queue {}: AQL, {} packets at {:#x}, doorbell {:#x}", queue_.id(), queue_.capacity(), queue_.ring().gpu(),
		   queue_.doorbell_offset());
	if (auto place = read_queue_place(queue_.ring().gpu()))
		fmt::print(", HQD pipe {} queue {} with VMID {}, MQD at {:#x}\n", place->pipe, place->queue, place->vmid, place->mqd);
	else
		fmt::print(" (its HQD and MQD are in debugfs, which cannot be read)\n");
}

bool Demo::report() const
{
	uint64_t checked = 0, wrong = 0;

	fmt::print("{:<15} {:>14} {:>10} {:>7} {:>15} {:>12} {:>9} {:>7}\n", "kernel", "grid", "workgroup", "waves", "virtual time",
		   "wall time", "checked", "wrong");
	for (const Result &r : results_) {
		const Shape &s = r.shape;

		fmt::print("{:<15} {:>14} {:>10} {:>7} {:>12.2f} us {:>9.1f} ms {:>9} {:>7}\n", r.kernel,
			   fmt::format("{}x{}x{}", s.grid[0], s.grid[1], s.grid[2]),
			   fmt::format("{}x{}x{}", s.workgroup[0], s.workgroup[1], s.workgroup[2]), s.waves(), r.virtual_us, r.wall_ms,
			   r.checked, r.wrong);
		checked += r.checked;
		wrong += r.wrong;
	}
	fmt::print("{}: {} kernels executed as {} machine code through queue {}, completion by interrupt; {} elements checked "
		   "against the CPU, {} wrong\n",
		   wrong ? "FAIL" : "PASS", results_.size(), device_.node().isa(), queue_.id(), checked, wrong);
	return wrong == 0;
}

/* Instructions and interrupts that the model counted, where it can be asked. */
std::optional<std::pair<uint64_t, uint64_t>> model_counts(unsigned gpu)
{
	try {
		Lab lab = Lab::open(gpu);

		return std::pair(lab.counter(Counter::Instructions), lab.counter(Counter::Interrupts));
	} catch (const std::system_error &) {
		return std::nullopt; /* another driver, or not root: the demonstration does not depend on it */
	}
}

bool demonstrate(Options options)
{
	Kfd kfd = Kfd::open();
	Topology topology = Topology::read();
	Device device = Device::open(kfd, topology.gpu(options.gpu));
	const Node &node = device.node();

	if (options.file.empty())
		options.file = find_device_code("demo", node.isa());
	fmt::print("GPU {}: {} ({}), {} CUs; KFD {}.{}\ncode: {}\n", options.gpu, node.name, node.isa(), node.cu_count(),
		   kfd.major_version(), kfd.minor_version(), options.file);
	auto before = model_counts(options.gpu);
	Demo demo(device, options);
	demo.run();
	demo.print_queue();
	if (auto after = model_counts(options.gpu); before && after)
		fmt::print("model: {} wave-instructions executed, {} interrupts raised\n", after->first - before->first,
			   after->second - before->second);
	return demo.report();
}

} // namespace

void add_demo(CLI::App &app, int *exit_code)
{
	CLI::App *demo = app.add_subcommand("demo", "Run vector add, saxpy and an integer matrix product and check every element");
	auto options = std::make_shared<Options>();

	demo->alias("run");
	demo->add_option("-g,--gpu", options->gpu, "GPU, counted from 0");
	demo->add_option("-n,--elements", options->elements, "Elements of vector add and saxpy")
		->check(CLI::Range(1, 1 << 28))
		->capture_default_str();
	demo->add_option("-m,--rows", options->rows, "Rows of the square matrices")->check(CLI::Range(1, 4096))->capture_default_str();
	demo->add_option("-t,--timeout", options->timeout_s, "Seconds that a kernel may take")->capture_default_str();
	demo->add_option("-f,--file", options->file, "Code object instead of the one built with kfdm");
	demo->callback([=] { *exit_code = demonstrate(*options) ? 0 : 1; });
}

} // namespace kfdm::tool
