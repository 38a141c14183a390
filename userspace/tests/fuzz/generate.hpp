// SPDX-License-Identifier: MIT
/*
 * generate.hpp - makes programs of a description, and changes programs.
 */
#pragma once

#include <iterator>
#include <map>

#include "program.hpp"

namespace kfdm::fuzz {

/** SplitMix64 (Steele, Lea, Flood 2014): the same numbers everywhere for a seed. */
class Random {
public:
	explicit Random(uint64_t seed) : state_(seed) {}
	uint64_t next()
	{
		uint64_t z = state_ += 0x9e3779b97f4a7c15;

		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
		z = (z ^ z >> 27) * 0x94d049bb133111eb;
		return z ^ z >> 31;
	}
	/** Less than @n, which is not 0. */
	uint64_t below(uint64_t n) { return next() % n; }
	/** True once in @n times. */
	bool one_in(uint64_t n) { return !below(n); }
	template <typename List> auto &pick(List &list) { return list[below(std::size(list))]; }

private:
	uint64_t state_;
};

class Generator {
public:
	Generator(const Description &description, Random &random);

	/** Some @calls calls, and those that make what they need. */
	Program generate(int calls);
	/** Changes @program a little. @donor gives calls, if there is one. */
	void mutate(Program &program, const Program *donor);

private:
	void append(Program &program, size_t call, int actor, int depth);
	std::vector<Arg> fields(Program &program, const std::vector<Field> &fields, Direction direction, int actor, int depth);
	Arg make(Program &program, const Type &type, Direction direction, int actor, int depth);
	void make_resource(Program &program, Arg &arg, int actor, int depth);
	bool refer(const Program &program, size_t before, Arg &arg, int actor, bool any);
	uint64_t number(const Type &type);
	uint64_t odd_number();
	uint64_t pages(const Type &type);
	int some_actor(const Program &program);
	size_t some_call();
	uint32_t some_failure();

	void insert(Program &program);
	void splice(Program &program, const Program &donor);
	void change_argument(Program &program);

	const Description &description_;
	Random &random_;
	std::map<const Resource *, std::vector<size_t>> producers_;
};

} // namespace kfdm::fuzz
