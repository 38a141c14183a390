// SPDX-License-Identifier: MIT
/*
 * kfd_machine.cpp - the GPU behind the device nodes. Each client is a child process with a /dev/kfd of its own; this process has the
 * lab and tells the children what to do, in CBOR over a socket pair.
 */
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <kfdm/error.hpp>
#include <kfdm/lab.hpp>
#include <kfdm/sdma.hpp>

#include "held_machine.hpp"
#include "memory_client.hpp"

namespace kfdm::exp {

namespace {

using nlohmann::json;

constexpr uint32_t ring_bytes = 256 * 1024;

/** In the child: does what it is told with libkfdm. */
class KfdClient final : public MemoryClient {
public:
	explicit KfdClient(Device &device)
		: MemoryClient(device.node().isa(), static_cast<double>(device.gpu_clock_hz()) / 1e6), device_(device)
	{
	}

	unsigned create_queue(const QueueSpec &spec) override
	{
		queues_.push_back(std::make_unique<AqlQueue>(device_, QueueOptions{.ring_bytes = ring_bytes, .priority = spec.priority}));
		unsigned queue = static_cast<unsigned>(queues_.size() - 1);
		if (!spec.mask.empty())
			at(queue).set_cu_mask(spec.mask);
		return queue;
	}
	unsigned create_sdma_queue() override
	{
		queues_.push_back(nullptr);
		sdma_[queues_.size() - 1] = std::make_unique<SdmaQueue>(device_, QueueOptions{.ring_bytes = ring_bytes});
		return static_cast<unsigned>(queues_.size() - 1);
	}
	void destroy_queue(unsigned queue) override
	{
		if (sdma_.erase(queue))
			return;
		at(queue).destroy();
		queues_[queue].reset();
	}
	void set_mask(unsigned queue, const CuMask &mask) override
	{
		const CuMask all((device_.node().cu_count() + 31) / 32, ~0u);

		at(queue).set_cu_mask(mask.empty() ? all : mask);
	}
	void set_priority(unsigned queue, uint32_t priority) override { at(queue).update(100, priority); }

protected:
	void alloc_at(uint64_t address, size_t bytes) override
	{
		buffers_.push_back(Buffer::gtt_at(device_, address, bytes, memory_coherent));
	}
	uint8_t *host(uint64_t address) override { return reinterpret_cast<uint8_t *>(address); }
	void push(unsigned queue, const void *packet) override
	{
		AqlDispatch p;

		std::memcpy(&p, packet, sizeof(p));
		at(queue).enqueue(p);
	}
	void ring(unsigned queue) override { at(queue).ring_doorbell(at(queue).write_index() - 1); }
	void push_sdma(unsigned queue, std::span<const uint32_t> dwords) override { sdma_.at(queue)->submit(dwords); }

private:
	AqlQueue &at(unsigned queue)
	{
		if (queue >= queues_.size() || !queues_[queue])
			throw_error(EINVAL, "there is no such queue");
		return *queues_[queue];
	}

	Device &device_;
	std::vector<Buffer> buffers_;
	std::vector<std::unique_ptr<AqlQueue>> queues_;
	std::map<size_t, std::unique_ptr<SdmaQueue>> sdma_;
};

void send(int socket, const json &message)
{
	std::vector<uint8_t> bytes = json::to_cbor(message);

	if (::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size()))
		throw_errno("cannot talk to the process of a client");
}

json receive(int socket)
{
	std::vector<uint8_t> bytes(192 * 1024);
	ssize_t size = recv(socket, bytes.data(), bytes.size(), 0);

	if (size <= 0)
		throw_error(EPIPE, "the process of a client has ended");
	bytes.resize(static_cast<size_t>(size));
	return json::from_cbor(bytes);
}

json work_json(const Work &w)
{
	return {{"object", w.object},	  {"kernel", w.kernel}, {"grid", w.grid},   {"workgroup", w.workgroup}, {"arguments", w.arguments},
		{"group", w.group_bytes}, {"vgprs", w.vgprs},	{"sgprs", w.sgprs}, {"barrier", w.barrier}};
}

Work json_work(const json &j)
{
	return {j["object"], j["kernel"], j["grid"], j["workgroup"], j["arguments"], j["group"], j["vgprs"], j["sgprs"], j["barrier"]};
}

json obey(Client &client, const json &order)
{
	const std::string what = order["do"];

	if (what == "alloc")
		return client.alloc(order["bytes"]);
	if (what == "write") {
		client.write(order["address"], order["data"].get_binary());
		return {};
	}
	if (what == "read") {
		std::vector<uint8_t> bytes(order["bytes"].get<size_t>());
		client.read(order["address"], bytes);
		return json::binary(bytes);
	}
	if (what == "create_queue")
		return client.create_queue({.mask = order["mask"], .priority = order["priority"]});
	if (what == "create_sdma_queue")
		return client.create_sdma_queue();
	if (what == "destroy_queue")
		client.destroy_queue(order["queue"]);
	if (what == "set_mask")
		client.set_mask(order["queue"], order["mask"]);
	if (what == "set_priority")
		client.set_priority(order["queue"], order["priority"]);
	if (what == "submit")
		return client.submit(order["queue"], json_work(order["work"]), order["count"]);
	if (what == "submit_nop")
		return client.submit_nop(order["queue"]);
	if (what == "submit_copy")
		return client.submit_copy(order["queue"], order["to"], order["from"], order["bytes"]);
	if (what == "times") {
		Times t = client.times(order["ticket"]);
		return {t.done, t.start, t.end};
	}
	return {};
}

/*
 * The child keeps only the socket of its parent: with a copy of the parent's ends it would keep its elder siblings from ever seeing
 * the parent hang up.
 */
int keep_only(int socket)
{
	constexpr int kept = STDERR_FILENO + 1;

	if (dup2(socket, kept) != kept || close_range(kept + 1, ~0u, 0))
		_exit(1);
	return kept;
}

/* The child: answers until the parent hangs up. */
[[noreturn]] void serve(int inherited, uint32_t gpu)
{
	const int socket = keep_only(inherited);

	try {
		Kfd kfd = Kfd::open();
		Topology topology = Topology::read();
		Device device = Device::open(kfd, topology.gpu(gpu));
		KfdClient client(device);

		for (;;) {
			json order = receive(socket), answer;
			try {
				answer = {{"value", obey(client, order)}};
			} catch (const std::system_error &error) {
				answer = {{"errno", error.code().value()}, {"what", error.what()}};
			}
			send(socket, answer);
		}
	} catch (...) {
	}
	_exit(0);
}

/** To kfd_model: each process that it knows has one, and each open file. */
long module_references()
{
	long count = 0;

	std::ifstream("/sys/module/kfd_model/refcnt") >> count;
	return count;
}

/*
 * KFD takes a process off the GPU some time after its end. What comes next begins when that is done, as on the silicon alone; if others have
 * come meanwhile, a little later.
 */
void wait_for_references(long wanted)
{
	constexpr std::chrono::milliseconds most{1000}, look{1};

	for (auto left = most; left.count() > 0 && module_references() > wanted; left -= look)
		std::this_thread::sleep_for(look);
}

/** In the parent: passes orders on. */
class RemoteClient final : public Client {
public:
	RemoteClient(uint32_t gpu, std::shared_ptr<void> presence) : presence_(std::move(presence))
	{
		const long before = module_references();
		int pair[2];

		if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
			throw_errno("socketpair");
		const int room = 1 << 20;
		for (int end : pair)
			(void)setsockopt(end, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
		child_ = fork();
		if (child_ < 0)
			throw_errno("fork");
		if (child_ == 0)
			serve(pair[1], gpu);
		close(pair[1]);
		socket_ = UniqueFd(pair[0]);
		ask({{"do", "nothing"}});
		references_ = module_references() - before;
	}
	~RemoteClient() override
	{
		const long others = module_references() - references_;

		socket_ = UniqueFd();
		waitpid(child_, nullptr, 0);
		wait_for_references(others);
	}

	uint64_t alloc(size_t bytes) override { return ask({{"do", "alloc"}, {"bytes", bytes}}); }
	void write(uint64_t address, std::span<const uint8_t> bytes) override
	{
		for (size_t at = 0; at < bytes.size(); at += piece) {
			std::span<const uint8_t> part = bytes.subspan(at, std::min(piece, bytes.size() - at));
			ask({{"do", "write"}, {"address", address + at}, {"data", json::binary({part.begin(), part.end()})}});
		}
	}
	void read(uint64_t address, std::span<uint8_t> bytes) override
	{
		for (size_t at = 0; at < bytes.size(); at += piece) {
			size_t size = std::min(piece, bytes.size() - at);
			json answer = ask({{"do", "read"}, {"address", address + at}, {"bytes", size}});
			std::memcpy(bytes.data() + at, answer.get_binary().data(), size);
		}
	}
	unsigned create_queue(const QueueSpec &spec) override
	{
		return ask({{"do", "create_queue"}, {"mask", spec.mask}, {"priority", spec.priority}});
	}
	unsigned create_sdma_queue() override { return ask({{"do", "create_sdma_queue"}}); }
	void destroy_queue(unsigned queue) override { ask({{"do", "destroy_queue"}, {"queue", queue}}); }
	void set_mask(unsigned queue, const CuMask &mask) override { ask({{"do", "set_mask"}, {"queue", queue}, {"mask", mask}}); }
	void set_priority(unsigned queue, uint32_t priority) override
	{
		ask({{"do", "set_priority"}, {"queue", queue}, {"priority", priority}});
	}
	unsigned submit(unsigned queue, const Work &work, unsigned count) override
	{
		return ask({{"do", "submit"}, {"queue", queue}, {"work", work_json(work)}, {"count", count}});
	}
	unsigned submit_nop(unsigned queue) override { return ask({{"do", "submit_nop"}, {"queue", queue}}); }
	unsigned submit_copy(unsigned queue, uint64_t to, uint64_t from, size_t bytes) override
	{
		return ask({{"do", "submit_copy"}, {"queue", queue}, {"to", to}, {"from", from}, {"bytes", bytes}});
	}
	Times times(unsigned ticket) override
	{
		json t = ask({{"do", "times"}, {"ticket", ticket}});

		return {t[0], t[1], t[2]};
	}

private:
	static constexpr size_t piece = 64 * 1024;

	json ask(const json &order)
	{
		send(socket_.get(), order);
		json answer = receive(socket_.get());
		if (answer.contains("errno"))
			throw_error(answer["errno"], answer["what"]);
		return answer["value"];
	}

	std::shared_ptr<void> presence_;
	UniqueFd socket_;
	pid_t child_ = -1;
	long references_ = 0; /* to kfd_model, that the child has */
};

class KfdMachine final : public HeldMachine {
public:
	explicit KfdMachine(uint32_t gpu) : gpu_(gpu), lab_(Lab::open(gpu))
	{
		Topology topology = Topology::read();
		const Node &node = topology.gpu(gpu);

		facts_.name = node.name;
		facts_.isa = node.isa();
		facts_.engines = static_cast<unsigned>(node.properties["array_count"]);
		if (!facts_.engines || node.cu_count() % facts_.engines)
			throw_error(EOPNOTSUPP, fmt::format("experiments want as many CUs in every shader engine: {} has {} CUs in {}",
							    node.name, node.cu_count(), facts_.engines));
		facts_.arrays = std::max(static_cast<unsigned>(node.properties["simd_arrays_per_engine"]), 1u);
		facts_.cus_per_engine = node.cu_count() / facts_.engines;
		facts_.cus_per_wgp = facts_.isa.starts_with("gfx1") ? 2 : 1;
		facts_.cycles_per_us = static_cast<double>(node.properties["max_engine_clk_fcompute"]);
		sdma_engines_ = static_cast<unsigned>(node.properties["num_sdma_engines"]);
		lab_.hold();
	}

	const ChipFacts &facts() const override { return facts_; }
	unsigned sdma_engines() const override { return sdma_engines_; }
	std::unique_ptr<Client> client() override { return std::make_unique<RemoteClient>(gpu_, presence()); }
	uint64_t run_idle() override { return lab_.run_idle(patience); }
	uint64_t run_to(uint64_t cycle) override { return lab_.run_to(cycle, patience); }
	uint64_t now() override { return lab_.hold(); }
	void free_run() override { lab_.release(); }
	void trace(bool on) override { on ? lab_.trace_start() : lab_.trace_stop(); }
	std::vector<amdm_ctl_trace_event> take_trace() override
	{
		uint64_t lost = 0;
		std::vector<amdm_ctl_trace_event> events = lab_.trace_read(&lost);

		if (lost)
			throw_error(ENOBUFS, "the trace buffer was too small");
		return events;
	}
	uint64_t counter(uint32_t which) override { return lab_.counter(static_cast<Counter>(which)); }
	void set_mode(Mode mode, uint32_t value) override { lab_.set_mode(mode, value); }

private:
	void hold_anew() override
	{
		lab_.release();
		lab_.hold();
	}

	static constexpr std::chrono::minutes patience{10};

	uint32_t gpu_;
	Lab lab_;
	ChipFacts facts_;
	unsigned sdma_engines_ = 0;
};

} // namespace

std::unique_ptr<Machine> kfd_machine(uint32_t gpu) { return std::make_unique<KfdMachine>(gpu); }

} // namespace kfdm::exp
