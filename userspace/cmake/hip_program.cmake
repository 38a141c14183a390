# SPDX-License-Identifier: MIT
#
# HIP programs, by Debian's hipcc, for the instruction sets in KFDM_HIP_ARCHS:
#
#   kfdm_hip_programs(FOLDER FILE.hip ...)		libraries_NAME: what to link NAME with
#
# makes FOLDER/NAME in the build tree for each, as part of the target hip_programs (not of `all`).
set(KFDM_HIP_ARCHS gfx900 gfx906 gfx90a gfx1030 CACHE STRING "Instruction sets to compile HIP programs for")
find_program(KFDM_HIPCC NAMES hipcc)
add_custom_target(hip_programs)

function(kfdm_hip_programs folder)
	set(dir ${CMAKE_BINARY_DIR}/${folder})
	file(MAKE_DIRECTORY ${dir})
	file(GLOB headers ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
	foreach(source IN LISTS ARGN)
		get_filename_component(name ${source} NAME_WE)
		list(TRANSFORM KFDM_HIP_ARCHS PREPEND --offload-arch= OUTPUT_VARIABLE archs)
		add_custom_command(OUTPUT ${dir}/${name}
			COMMAND ${KFDM_HIPCC} ${archs} -std=c++17 -O2 -Wall -Wno-unused-result -Wno-pass-failed
				-I${CMAKE_CURRENT_SOURCE_DIR} -o ${dir}/${name} ${source} ${libraries_${name}}
			DEPENDS ${source} ${headers}
			COMMENT "HIP program ${folder}/${name}"
			VERBATIM)
		string(MAKE_C_IDENTIFIER hip_${folder}_${name} target)
		add_custom_target(${target} DEPENDS ${dir}/${name})
		add_dependencies(hip_programs ${target})
	endforeach()
endfunction()
