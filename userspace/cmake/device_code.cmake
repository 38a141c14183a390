# SPDX-License-Identifier: MIT
#
# Device code: OpenCL C or gfx assembly -> ELF code objects, by clang and lld: 15 of Debian 12, which the tests are made for, else a newer one.
#
#   kfdm_device_code(NAME FILE.cl|FILE.s [FLAGS ...])
#
# makes lib/kfdm/NAME.ARCH.co for each architecture in KFDM_ARCHS, as part of the target device_code.

set(KFDM_ARCHS gfx906 gfx900 gfx904 gfx908 gfx90a gfx802 gfx803 gfx1030)	# instruction sets to compile device code for
find_program(KFDM_DEVICE_CLANG NAMES clang-15 clang-19 clang-18 clang-17 clang-16 REQUIRED)
find_program(KFDM_DEVICE_CLANG_GFX942 NAMES clang-19 clang-18 clang-17)	# 15 and 16 have none
if(KFDM_DEVICE_CLANG_GFX942)
	list(APPEND KFDM_ARCHS gfx942)
endif()
find_program(KFDM_DEVICE_LLD NAMES ld.lld-15 ld.lld-19 ld.lld-18 ld.lld-17 ld.lld-16 REQUIRED)
set(KFDM_DEVICE_DIR ${CMAKE_BINARY_DIR}/lib/kfdm)
file(MAKE_DIRECTORY ${KFDM_DEVICE_DIR})
add_custom_target(device_code ALL)
install(DIRECTORY ${KFDM_DEVICE_DIR}/ DESTINATION lib/kfdm FILES_MATCHING PATTERN "*.co")

function(kfdm_device_code name file)
	cmake_parse_arguments(arg "" "" "FLAGS" ${ARGN})
	cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
	if(file MATCHES "\\.cl$")
		set(language -x cl -cl-std=CL2.0 -Xclang -finclude-default-header -cl-kernel-arg-info -O2
			-ffreestanding)
	else()
		set(language -x assembler-with-cpp)
	endif()
	foreach(arch IN LISTS KFDM_ARCHS)
		set(out ${KFDM_DEVICE_DIR}/${name}.${arch}.co)
		set(clang ${KFDM_DEVICE_CLANG})
		if(arch STREQUAL gfx942)
			set(clang ${KFDM_DEVICE_CLANG_GFX942} -mcode-object-version=4)
		endif()
		add_custom_command(OUTPUT ${out}
			COMMAND ${clang} ${language} -target amdgcn-amd-amdhsa -mcpu=${arch} -nogpulib
				-I${CMAKE_SOURCE_DIR}/device ${arg_FLAGS} -o ${out} ${file}
			DEPENDS ${file} ${CMAKE_SOURCE_DIR}/device/work_item.h ${CMAKE_SOURCE_DIR}/device/kernel.inc ${CMAKE_SOURCE_DIR}/device/scopes.h ${CMAKE_SOURCE_DIR}/device/metadata.h
			COMMENT "Device code ${name}.${arch}.co"
			VERBATIM)
		add_custom_target(device_${name}_${arch} DEPENDS ${out})
		add_dependencies(device_code device_${name}_${arch})
	endforeach()
endfunction()
