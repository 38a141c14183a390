// SPDX-License-Identifier: MIT
/*
 * folder.hpp - where a sweep keeps what it is and what has come of it, so that whoever sees the folder can go on with it:
 *
 *	sweep.json           the definition
 *	rows/000001.jsonl    the result of a row, there once the row has ended well
 *	runs/000001/         the last attempt at a row: log, attempt.json, and what the command leaves in {work}
 *	result.jsonl         all results in the order of the rows, there once there are all
 *
 * A result says nothing of the run: times and hosts differ each time, and are in attempt.json. Results appear under their names as a whole.
 */
#pragma once

#include <filesystem>
#include <optional>

#include "definition.hpp"

namespace kfdm::sweep {

/** How far a row is. */
struct RowState {
	enum class Kind {
		Done,	 /**< there is a result */
		Failed,	 /**< it has ended without */
		Running, /**< by somebody, here or on another machine */
		Broken,	 /**< begun, and killed */
		Waiting, /**< not begun */
	};
	Kind kind = Kind::Waiting;
	std::string why; /**< of a failed row */
};

class Folder {
public:
	/** Makes the folder, or goes on with it. Throws Refusal if it is another sweep's, or of another kfdm. */
	static Folder create(const std::filesystem::path &path, const Definition &definition);
	/** One that there is. Throws Refusal if it is no sweep's or of another kfdm than @kfdm. */
	static Folder open(const std::filesystem::path &path, const std::string &kfdm);

	[[nodiscard]] const std::filesystem::path &path() const noexcept { return path_; }
	[[nodiscard]] const Definition &definition() const noexcept { return definition_; }

	[[nodiscard]] std::filesystem::path result(size_t row) const;
	[[nodiscard]] std::filesystem::path run(size_t row) const;
	[[nodiscard]] std::filesystem::path log(size_t row) const { return run(row) / "log"; }
	[[nodiscard]] std::filesystem::path attempt(size_t row) const { return run(row) / "attempt.json"; }
	[[nodiscard]] std::filesystem::path merged() const { return path_ / "result.jsonl"; }

	[[nodiscard]] RowState state(size_t row) const;
	/** Rows without a result. */
	[[nodiscard]] std::vector<size_t> missing() const;

	/** All results in one file, once there are all. Return: whether there are. */
	[[nodiscard]] bool merge() const;

private:
	Folder(std::filesystem::path path, Definition definition) : path_(std::move(path)), definition_(std::move(definition)) {}

	std::filesystem::path path_;
	Definition definition_;
};

/**
 * A file of @text that appears as a whole, also to another machine. @place: where it is until then, and stays if this program is killed
 * meanwhile; a folder of the same file system, by default the file's own.
 */
void write_whole(const std::filesystem::path &path, const std::string &text, const std::filesystem::path &place = {});
/** Throws ENOENT and others. */
std::string read_whole(const std::filesystem::path &path);

} // namespace kfdm::sweep
