# SPDX-License-Identifier: MIT
#
# The silicon as a native static library, from the same list of objects that Kbuild reads.
#
# sources.mk holds lines `name += path.o ...`; path.o is path.cc there. Control objects are compiled once, execution
# units once for each variant with SILICON_VARIANT set and that variant's vector flags.
#
# Targets: silicon (link it; brings the include folder amdgpu_model/).

set(silicon_dir ${KFDM_ROOT}/amdgpu_model/silicon)

# silicon_list(NAME OUT): all words that sources.mk adds to NAME
function(silicon_list name out)
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${silicon_dir}/sources.mk)
	file(STRINGS ${silicon_dir}/sources.mk lines REGEX "^${name}[ \t]*\\+=")
	set(words "")
	foreach(line IN LISTS lines)
		string(REGEX REPLACE "^${name}[ \t]*\\+=[ \t]*" "" line "${line}")
		string(REGEX REPLACE "[ \t]*#.*$" "" line "${line}")
		separate_arguments(line UNIX_COMMAND "${line}")
		list(APPEND words ${line})
	endforeach()
	set(${out} ${words} PARENT_SCOPE)
endfunction()

# silicon_sources(OBJECTS OUT): path.o -> absolute path.cc
function(silicon_sources objects out)
	set(sources "")
	foreach(object IN LISTS ${objects})
		string(REGEX REPLACE "\\.o$" ".cc" source ${object})
		list(APPEND sources ${silicon_dir}/${source})
	endforeach()
	set(${out} ${sources} PARENT_SCOPE)
endfunction()

silicon_list(silicon-control silicon_control)
silicon_list(silicon-exec silicon_exec)
silicon_list(silicon-variants silicon_variants)
if(KFDM_ONE_VARIANT)	# for who needs no other: they are most of what there is to compile
	set(silicon_variants ${KFDM_ONE_VARIANT})
	set_source_files_properties(${silicon_dir}/isa/engine.cc PROPERTIES COMPILE_DEFINITIONS SILICON_VARIANT=${KFDM_ONE_VARIANT})
endif()
silicon_sources(silicon_control silicon_control_sources)
silicon_sources(silicon_exec silicon_exec_sources)

# As in amdgpu_model/silicon/Kbuild.include: floats obey IEEE 754 operation by operation.
set(silicon_vector_common -msse -msse2 -mfpmath=sse -ffp-contract=off -fno-fast-math)
set(silicon_vector_sse2 ${silicon_vector_common} -mno-avx)
set(silicon_vector_avx2 ${silicon_vector_common} -mavx2 -mfma -mno-avx512f)
set(silicon_vector_avx512 ${silicon_vector_common} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)

add_library(silicon_flags INTERFACE)
target_include_directories(silicon_flags INTERFACE ${KFDM_ROOT}/amdgpu_model)
target_compile_options(silicon_flags INTERFACE -std=gnu++20 -ffreestanding -fno-exceptions -fno-rtti
	-fno-threadsafe-statics -Wall -Wextra -Wundef -Wno-unused-parameter -Wno-missing-field-initializers -Wvla
	-Wimplicit-fallthrough $<$<BOOL:${KFDM_WERROR}>:-Werror>)

add_library(silicon STATIC ${silicon_control_sources})
target_link_libraries(silicon PRIVATE silicon_flags)
target_include_directories(silicon PUBLIC ${KFDM_ROOT}/amdgpu_model)
if(silicon_exec_sources)
	foreach(variant IN LISTS silicon_variants)
		add_library(silicon_${variant} OBJECT ${silicon_exec_sources})
		target_link_libraries(silicon_${variant} PRIVATE silicon_flags)
		target_compile_options(silicon_${variant} PRIVATE ${silicon_vector_${variant}})
		target_compile_definitions(silicon_${variant} PRIVATE SILICON_VARIANT=${variant})
		target_sources(silicon PRIVATE $<TARGET_OBJECTS:silicon_${variant}>)
	endforeach()
endif()
