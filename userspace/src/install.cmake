# SPDX-License-Identifier: MIT
#
# libkfdm and libkfdm_drm as shared libraries, and what a program needs to be compiled against them: headers, pkg-config files, a
# CMake package (find_package(kfdm), targets kfdm::kfdm and kfdm::kfdm_drm).
#
# The soname counts up when a function of the public headers goes away or changes. What is no part of them is not exported: libkfdm.map
# leaves in namespace kfdm only, and inline functions stay in who includes them.
set(soversion 0)
set(pairs kfdm_lib:kfdm kfdm_drm:kfdm_drm)
foreach(pair IN LISTS pairs)
	string(REGEX REPLACE ":.*" "" target ${pair})
	string(REGEX REPLACE ".*:" "" output ${pair})
	set_target_properties(${target} PROPERTIES OUTPUT_NAME ${output} EXPORT_NAME ${output} VERSION ${soversion}.${PROJECT_VERSION}
		SOVERSION ${soversion} INSTALL_RPATH "$ORIGIN" VISIBILITY_INLINES_HIDDEN ON LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/libkfdm.map)
	target_link_options(${target} PRIVATE -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/libkfdm.map)
endforeach()

# Headers of other folders that the public ones include lie below kfdm/model, so that nothing called hw/ or uapi/ lies in the open.
set(model ${CMAKE_INSTALL_INCLUDEDIR}/kfdm/model)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/kfdm DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES ${KFDM_ROOT}/uapi/amdgpu_model_ctl.h DESTINATION ${model}/uapi)
foreach(header aql.h pm4.h sdma_v4.h hw_types.h)
	install(FILES ${KFDM_ROOT}/amdgpu_model/hw/${header} DESTINATION ${model}/hw)
endforeach()
# <linux/kfd_ioctl.h> includes <drm/drm.h>: see CMakeLists.txt.
cmake_path(RELATIVE_PATH KFDM_LIBDRM BASE_DIRECTORY ${CMAKE_INSTALL_FULL_INCLUDEDIR}/kfdm/model OUTPUT_VARIABLE libdrm)
file(CREATE_LINK ${libdrm} ${CMAKE_CURRENT_BINARY_DIR}/drm SYMBOLIC)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/drm DESTINATION ${model})

foreach(target kfdm_lib kfdm_drm)
	target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
		$<INSTALL_INTERFACE:${model}> $<INSTALL_INTERFACE:${model}/drm>)
	target_compile_features(${target} INTERFACE cxx_std_20)
endforeach()
install(TARGETS kfdm_lib kfdm_drm EXPORT kfdm LIBRARY NAMELINK_COMPONENT dev)
install(EXPORT kfdm NAMESPACE kfdm:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kfdm)

include(CMakePackageConfigHelpers)
set(here ${CMAKE_CURRENT_BINARY_DIR})
file(WRITE ${here}/kfdm-config.cmake
	"include(CMakeFindDependencyMacro)\nfind_dependency(Threads)\ninclude(\${CMAKE_CURRENT_LIST_DIR}/kfdm.cmake)\n")
write_basic_package_version_file(${here}/kfdm-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${here}/kfdm-config.cmake ${here}/kfdm-config-version.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kfdm)

foreach(name kfdm kfdm_drm)
	configure_file(${CMAKE_CURRENT_SOURCE_DIR}/${name}.pc.in ${here}/${name}.pc @ONLY)
	install(FILES ${here}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
