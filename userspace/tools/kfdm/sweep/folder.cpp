// SPDX-License-Identifier: MIT
/* folder.cpp - see folder.hpp. */
#include "folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <kfdm/error.hpp>
#include <kfdm/unique_fd.hpp>

namespace kfdm::sweep {

namespace fs = std::filesystem;

namespace {

void write_all(int fd, const std::string &text, const fs::path &path)
{
	for (size_t at = 0; at < text.size();) {
		const ssize_t n = write(fd, text.data() + at, text.size() - at);

		if (n < 0 && errno != EINTR)
			throw_errno("cannot write " + path.string());
		at += n > 0 ? static_cast<size_t>(n) : 0;
	}
}

/* umask(2) tells the mask only by changing it. */
mode_t file_mode()
{
	const mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

Definition read_definition(const fs::path &path)
{
	const fs::path file = path / "sweep.json";

	if (!fs::exists(file))
		throw Refusal(path.string() + " is no folder of a sweep");
	try {
		return Definition::from_json(json::parse(read_whole(file)));
	} catch (const json::exception &error) {
		throw Refusal(fmt::format("{} cannot be read: {}", file.string(), error.what()));
	}
}

/* Whether somebody holds the lock of a row (row.cpp): asked, not tried, so that nobody finds it taken meanwhile. */
bool is_locked(const fs::path &log)
{
	const UniqueFd fd(open(log.c_str(), O_RDONLY | O_CLOEXEC));
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return fd && !fcntl(fd.get(), F_GETLK, &lock) && lock.l_type != F_UNLCK;
}

} // namespace

void write_whole(const fs::path &path, const std::string &text, const fs::path &place)
{
	const fs::path folder = place.empty() ? path.parent_path() : place;
	std::string name = folder / ("." + path.filename().string() + ".XXXXXX");
	UniqueFd fd(mkostemp(name.data(), O_CLOEXEC));

	if (!fd)
		throw_errno("cannot write into " + folder.string());
	try {
		write_all(fd.get(), text, path);
		if (fchmod(fd.get(), file_mode()) || fsync(fd.get()) || rename(name.c_str(), path.c_str()))
			throw_errno("cannot write " + path.string());
	} catch (...) {
		unlink(name.c_str());
		throw;
	}
}

std::string read_whole(const fs::path &path)
{
	std::ifstream in(path, std::ios::binary);

	if (!in)
		throw_errno("cannot read " + path.string());
	return {std::istreambuf_iterator<char>(in), {}};
}

Folder Folder::create(const fs::path &path, const Definition &definition)
{
	std::error_code error;

	definition.check();
	fs::create_directories(path / "rows", error);
	if (!error)
		fs::create_directories(path / "runs", error);
	if (error)
		throw_error(error.value(), "cannot make the folder " + path.string());
	if (fs::exists(path / "sweep.json")) {
		if (const std::string difference = definition.difference(read_definition(path)); !difference.empty())
			throw Refusal(
				fmt::format("{} holds another sweep, {}: take another --folder, or remove it", path.string(), difference));
	} else {
		write_whole(path / "sweep.json", definition.to_json().dump(1, '\t') + "\n");
	}
	return {path, definition};
}

Folder Folder::open(const fs::path &path, const std::string &kfdm)
{
	Definition definition = read_definition(path);

	if (definition.kfdm != kfdm)
		throw Refusal(fmt::format("{} was made by {}, and this is {}: results of both do not belong into one file", path.string(),
					  definition.kfdm, kfdm));
	return {path, definition};
}

fs::path Folder::result(size_t row) const { return path_ / "rows" / fmt::format("{:06}.jsonl", row); }
fs::path Folder::run(size_t row) const { return path_ / "runs" / fmt::format("{:06}", row); }

RowState Folder::state(size_t row) const
{
	using Kind = RowState::Kind;

	if (fs::exists(result(row)))
		return {Kind::Done, ""};
	if (!fs::exists(log(row)))
		return {Kind::Waiting, ""};
	if (is_locked(log(row)))
		return {Kind::Running, ""};
	if (!fs::exists(attempt(row)))
		return {Kind::Broken, ""};
	try {
		return {Kind::Failed, json::parse(read_whole(attempt(row))).at("failure")};
	} catch (const json::exception &error) {
		return {Kind::Failed, error.what()};
	}
}

std::vector<size_t> Folder::missing() const
{
	std::vector<size_t> rows;

	for (size_t row = 1; row <= definition_.rows(); row++)
		if (!fs::exists(result(row)))
			rows.push_back(row);
	return rows;
}

bool Folder::merge() const
{
	std::string all;

	if (!missing().empty())
		return false;
	for (size_t row = 1; row <= definition_.rows(); row++)
		all += read_whole(result(row));
	write_whole(merged(), all);
	return true;
}

} // namespace kfdm::sweep
