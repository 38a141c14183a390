// SPDX-License-Identifier: MIT
/*
 * board.hpp - the memory that the executor and the processes of a program share: the program in a form that needs no parser and no
 * allocation, who shall make which call, what came of it. It lies at the same address everywhere, also after an exec.
 */
#pragma once

#include <atomic>
#include <cstdint>

#include "program.hpp"

namespace kfdm::fuzz {

inline constexpr uintptr_t board_address = 0x3000000000; /* User-Mode Linux has 39 bits */
inline constexpr uintptr_t arena_address = 0x10000000;	 /* what pointers of calls point to: so much for each call */
inline constexpr size_t arena_of_call = 0x10000;
inline constexpr uintptr_t data_address = 0x20000000; /* the pages that Vma arguments name */
inline constexpr size_t data_pages = 1024;

/* Descriptors that everybody has, where no call closes them by chance */
inline constexpr int board_fd = 900, send_fd = 901, receive_fd = 902, program_fd = 903, fail_fd = 904, kcov_fd = 910;
inline constexpr int kcov_areas = max_actors + 4; /* the last ones for calls that are not waited for */
inline constexpr size_t kcov_words = 1 << 16;

/* Descriptors and memory of the last program go: the next one begins. */
inline constexpr uint32_t order_clean = ~0U;

struct Operand {
	uint64_t value; /**< if from_call < 0, or that call has put out nothing */
	int16_t from_call, slot;
};

/** A value that is known only when the call is made: goes to @offset of the call's memory. */
struct Store {
	uint32_t offset, size;
	Operand operand;
};

struct Fetch {
	uint32_t offset, size, slot;
};

// clang-format off
enum class Function : int32_t {
	Ioctl, Openat, Close, Dup, Read, Write, Lseek, Mmap, Munmap, Mprotect, Madvise, Mremap,
	Fork, CloneVm, Exec, Kill, SendFd, ReceiveFd, ReadProc, ReadAsRoot, Sleep, Store32, Store64, Copy, Load, MapDoorbells, Ring, Replug,
};
// clang-format on

struct Step {
	Function function;
	int32_t actor;
	bool detached;
	uint32_t fail;	 /**< which allocation fails (Invocation) */
	uint32_t failed; /**< how many have */
	uint32_t argument_count, store_count, fetch_count;
	uint32_t image, image_size; /**< where the call's memory lies in Board::bytes */
	uint32_t first_store;	    /**< of Board::stores */
	Operand arguments[6];
	Fetch fetches[max_slots];

	std::atomic<uint32_t> done; /**< futex */
	int64_t result;		    /**< -errno */
	std::atomic<bool> valid[max_slots];
	uint64_t output[max_slots];
};

struct Seat {
	std::atomic<int32_t> pid;    /**< 0: there is no such process (yet) */
	std::atomic<uint32_t> order; /**< futex: 1 + the step that is to be made, or order_clean; 0 when the actor has taken it */
	std::atomic<uint32_t> idle;  /**< futex: ready for an order */
};

struct Board {
	Seat seats[max_actors];
	std::atomic<int32_t> born;     /**< seats that are taken */
	std::atomic<int32_t> detached; /**< kcov areas in use by calls that are not waited for */
	uint32_t step_count;
	uint32_t gpu_id;
	uint32_t render_minor; /**< of the first GPU: another one after the driver has been unbound and bound */
	bool coverage;
	Step steps[max_calls];
	/* In one piece each, since a page that a new process touches first takes its time. */
	uint32_t stores_used, bytes_used;
	Store stores[4096];
	uint8_t bytes[1 << 19];
};

/** Puts @program onto the board. Calls whose memory is too large are left out: their function is Sleep with 0 ms. */
void put(const Description &description, const Program &program, Board &board);

/** The life of an actor: never returns. @step: the exec that has led here, or -1. */
[[noreturn]] void act(Board &board, int seat, int step);

/** Waits until *@word is not @value, or @ms are over; true if it is not. */
bool wait_while(std::atomic<uint32_t> &word, uint32_t value, int ms);
void wake(std::atomic<uint32_t> &word);

} // namespace kfdm::fuzz
