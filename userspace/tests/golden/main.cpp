// SPDX-License-Identifier: MIT
//
// golden - compares kfd_model, compiled natively, with vectors of the real driver
//
//	golden [--abi 6.1|7.2] [FOLDER] [SET...]
//
// Prints a line a set, `SET equal/total`, then the reasons of what was left out and the first differences. A vector that is left
// out counts as not equal, and so does a set without a judge (judge_*.cpp). Another folder may hold some of the sets only, and may leave
// the tables beside them (*.json) to ours. With --abi 7.2 the model is that driver, and the default folder that driver's. Exit 0: nothing differs. KFDM_GOLDEN names another folder;
// KFDM_GOLDEN_EVERY=N looks at one vector in N only (and says so), for builds in which all of them take too long;
// KFDM_GOLDEN_SHOW=N shows N differences instead of 5.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <set>
#include <stdexcept>

#include "golden.hpp"
#include "kfd_pure.hpp"

namespace golden {

std::string folder;

static std::size_t every = 1, shown = 5;

std::uint64_t number(const json &object, const char *key)
{
	const auto at = object.find(key);

	if (at == object.end() || at->is_null())
		return 0;
	if (at->is_string())
		return std::stoull(at->get<std::string>(), nullptr, 0);
	if (at->is_boolean())
		return at->get<bool>();
	return at->is_number_unsigned() ? at->get<std::uint64_t>() : static_cast<std::uint64_t>(at->get<std::int64_t>());
}

std::uint32_t number32(const json &object, const char *key) { return static_cast<std::uint32_t>(number(object, key)); }

std::string hex(std::uint64_t n)
{
	char text[24];

	std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(n));
	return text;
}

std::vector<std::uint32_t> words(const json &array)
{
	std::vector<std::uint32_t> out;

	if (array.is_string()) {
		std::istringstream text(array.get<std::string>());

		for (std::string word; text >> word;)
			out.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
		return out;
	}
	for (const auto &word : array)
		out.push_back(static_cast<std::uint32_t>(std::stoul(word.get<std::string>(), nullptr, 16)));
	return out;
}

std::uint32_t ip_version(const std::string &text)
{
	unsigned major = 0, minor = 0, revision = 0;

	if (std::sscanf(text.c_str(), "%u.%u.%u", &major, &minor, &revision) != 3)
		return 0;
	return major << 16 | minor << 8 | revision;
}

bool is_7_2() { return kfdm_abi->name == std::string("7.2"); }

/// Our own vectors and tables.
std::string own_folder() { return std::string(KFDM_GOLDEN_DATA) + (is_7_2() ? "-7.2" : ""); }

json read_table(const std::string &name)
{
	for (const auto &place : {folder, own_folder(), std::string(KFDM_GOLDEN_DATA)}) {
		std::ifstream file(place + "/" + name);

		if (file)
			return json::parse(file);
	}
	throw std::runtime_error(name + " is missing");
}

const json &topology(const std::string &name)
{
	static const json all = read_table("topologies.json");

	return all.at(name);
}

const json &asic(const std::string &name)
{
	static const json all = read_table("asics.json");

	return all.at(name);
}

namespace {

const Set sets[] = {
	{"cu_mask", judge_cu_mask},
	{"cu_mask_ioctl", judge_cu_mask_ioctl},
	{"mqd", judge_mqd},
	{"wave_state", judge_wave_state},
	{"pm4", judge_pm4},
	{"runlist", judge_runlist},
	{"device_info", judge_device_info},
	{"gpu_id", judge_gpu_id},
	{"doorbell_init", judge_doorbell_init},
	{"doorbell_offset", judge_doorbell_offset},
	{"doorbell_kernel_seq", judge_doorbell_kernel_seq},
	{"doorbell_process_seq", judge_doorbell_process_seq},
	{"doorbell_sdma_alloc_seq", judge_doorbell_sdma_alloc_seq},
	{"apertures", judge_apertures},
	{"process_registers", judge_process_registers},
	{"create_queue_checks", judge_create_queue_checks},
	{"interrupts", judge_interrupts},
	{"cwsr_sizes", judge_cwsr_sizes},
	{"topology", judge_topology},
	{"device_nodes", judge_device_nodes},
	{"acquire_buffers", judge_acquire_buffers},
	{"dqm_seq", judge_dqm_seq},
	{"scenario", judge_scenario},
	{"hiq_ring", judge_scenario},
	{"device_init", judge_device_init},
	{"topology_multi", judge_topology_multi},
};

/// The lines of a compressed file.
class Lines {
public:
	explicit Lines(const std::string &path) : pipe_(popen(("zcat '" + path + "' 2>/dev/null").c_str(), "r"), pclose)
	{
		if (!pipe_)
			throw std::runtime_error("zcat does not start");
	}

	bool next(std::string &line)
	{
		std::array<char, 65536> part;

		line.clear();
		while (std::fgets(part.data(), part.size(), pipe_.get())) {
			line += part.data();
			if (line.back() == '\n')
				return true;
		}
		return !line.empty();
	}

private:
	std::unique_ptr<FILE, int (*)(FILE *)> pipe_;
};

struct Result {
	std::size_t equal = 0, total = 0;
	std::map<std::string, std::size_t> skipped;
	std::vector<std::string> different;
};

std::string file_of(const std::string &set) { return folder + "/" + set + ".jsonl.gz"; }

/// A vector that cannot even be read, or an input that the driver does not know, is a difference.
Verdict judge(const Set &set, const json &vector)
{
	try {
		return set.judge(vector);
	} catch (const NoChip &error) {
		return Verdict::skip(error.what());
	} catch (const std::exception &error) {
		return {Verdict::Different, error.what()};
	}
}

Result run(const Set &set)
{
	Lines lines(file_of(set.name));
	std::string line;
	Result result;

	for (std::size_t i = 0; lines.next(line); i++) {
		if (i % every)
			continue;
		const json vector = json::parse(line);
		const Verdict verdict = judge(set, vector);

		result.total++;
		if (verdict.kind == Verdict::Equal)
			result.equal++;
		else if (verdict.kind == Verdict::Skipped)
			result.skipped[verdict.why]++;
		else
			result.different.push_back(vector.at("id").get<std::string>() + (verdict.why.empty() ? "" : ": ") + verdict.why);
	}
	return result;
}

void print(const Set &set, const Result &result)
{
	std::cout << set.name << ' ' << result.equal << '/' << result.total;
	if (every > 1)
		std::cout << " (one in " << every << ')';
	std::cout << '\n';
	for (const auto &[why, count] : result.skipped)
		std::cout << "    left out " << count << ": " << why << '\n';
	for (std::size_t i = 0; i < result.different.size() && i < shown; i++)
		std::cout << "    differs " << result.different[i] << '\n';
	if (result.different.size() > shown)
		std::cout << "    ... and " << result.different.size() - shown << " more\n";
}

/// Sets of the folder that no function here judges.
void print_unjudged()
{
	std::set<std::string> names;

	for (const auto &entry : std::filesystem::directory_iterator(folder)) {
		const std::string file = entry.path().filename(), ending = ".jsonl.gz";

		if (file.ends_with(ending))
			names.insert(file.substr(0, file.size() - ending.size()));
	}
	for (const auto &set : sets)
		names.erase(set.name);
	for (const auto &name : names) {
		const Set set = {name.c_str(), [](const json &) { return Verdict::skip("no function judges this set yet"); }};

		print(set, run(set));
	}
}

/// One set; false: something differs, or there is nothing to be judged though it was asked for.
bool judge_set(const Set &set, bool named)
{
	if (!named && !std::filesystem::exists(file_of(set.name)))
		return true;
	const Result result = run(set);

	print(set, result);
	return result.total > 0 && result.different.empty();
}

bool judge_folder(const std::set<std::string> &names)
{
	bool good = true, any = false;

	for (const auto &set : sets) {
		if (!names.empty() && !names.contains(set.name))
			continue;
		any |= std::filesystem::exists(file_of(set.name));
		good &= judge_set(set, !names.empty());
	}
	if (names.empty())
		print_unjudged();
	if (!any)
		std::cerr << "golden: no vectors in " << folder << '\n';
	return good && any;
}

} // namespace
} // namespace golden

int main(int argc, char **argv)
{
	std::vector<std::string> args(argv + 1, argv + argc);

	if (args.size() >= 2 && args[0] == "--abi") {
		const struct kfdm_abi *abi = kfdm_abi_find(args[1].c_str());

		if (!abi) {
			std::cerr << "golden: there is no driver " << args[1] << '\n';
			return 2;
		}
		kfdm_abi = abi;
		args.erase(args.begin(), args.begin() + 2);
	}
	golden::folder = golden::own_folder();
	if (const char *other = std::getenv("KFDM_GOLDEN"))
		golden::folder = other;
	if (const char *every = std::getenv("KFDM_GOLDEN_EVERY"))
		golden::every = std::max(std::strtoul(every, nullptr, 10), 1ul);
	if (const char *shown = std::getenv("KFDM_GOLDEN_SHOW"))
		golden::shown = std::strtoul(shown, nullptr, 10);
	if (!args.empty()) {
		golden::folder = args[0];
		args.erase(args.begin());
	}
	return golden::judge_folder({args.begin(), args.end()}) ? 0 : 1;
}
