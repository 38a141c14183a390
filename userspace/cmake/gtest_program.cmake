# SPDX-License-Identifier: MIT
#
# Tests of gtest programs, for ctest.
#
#   kfdm_gtest(PROGRAM [SHARDS n])
#
# adds the tests of a program as n ctest tests (1 if not said), PROGRAM.0 and so on: each a process that runs every n-th of them. A process for
# each of a thousand tests takes longer than the tests themselves.

find_package(GTest REQUIRED)

function(kfdm_gtest program)
	cmake_parse_arguments(ARG "" SHARDS "" ${ARGN})
	if(NOT ARG_SHARDS)
		set(ARG_SHARDS 1)
	endif()
	math(EXPR last "${ARG_SHARDS} - 1")
	foreach(shard RANGE ${last})
		add_test(NAME ${program}.${shard} COMMAND ${program})
		set_tests_properties(${program}.${shard} PROPERTIES ENVIRONMENT "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${shard}")
	endforeach()
endfunction()
