# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Builds programs for Sluice with CMake, as sluice.mk does with make. SLUICE is the command:
#   find_program(SLUICE sluice REQUIRED)
#   execute_process(COMMAND ${SLUICE} --project OUTPUT_VARIABLE SLUICE_PROJECT OUTPUT_STRIP_TRAILING_WHITESPACE)
#   include(${SLUICE_PROJECT}/sluice.cmake)
#   sluice_program(my_program)

# The host library, by pkg-config: where PKG_CONFIG_PATH says, else the one that belongs to the command.
execute_process(COMMAND ${SLUICE} --pkgconfig OUTPUT_VARIABLE sluice_beside OUTPUT_STRIP_TRAILING_WHITESPACE)
set(ENV{PKG_CONFIG_PATH} "$ENV{PKG_CONFIG_PATH}:${sluice_beside}")
find_package(PkgConfig REQUIRED)
pkg_check_modules(SLUICE_HOST REQUIRED IMPORTED_TARGET sluice)
set(SLUICE_TEST ${CMAKE_CURRENT_LIST_DIR}/test.sh)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
set(KERNEL_FLAGS "" CACHE STRING "Options of the kernels' compiler")
enable_testing()

# sluice_program(NAME [SOURCES FILE...] [KERNELS FILE...] [ARGUMENTS ARGUMENT...]): the host program NAME, of NAME.c, and
# its kernels NAME.elf beside it, of NAME_kernel.c; a test, if there is a tests.txt; the targets NAME_run and NAME_profile.
function(sluice_program name)
  cmake_parse_arguments(OF "" "" "SOURCES;KERNELS;ARGUMENTS" ${ARGN})
  if(NOT OF_SOURCES)
    set(OF_SOURCES ${name}.c)
  endif()
  if(NOT OF_KERNELS)
    set(OF_KERNELS ${name}_kernel.c)
  endif()
  list(TRANSFORM OF_KERNELS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)

  add_executable(${name} ${OF_SOURCES})
  target_compile_options(${name} PRIVATE -Wall -Wextra)
  target_link_libraries(${name} PkgConfig::SLUICE_HOST)

  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  separate_arguments(flags UNIX_COMMAND "${KERNEL_FLAGS}")
  add_custom_command(
    OUTPUT ${name}.elf
    COMMAND ${SLUICE} cc -Wall -Wextra ${flags} -o ${name}.elf ${OF_KERNELS}
    DEPENDS ${OF_KERNELS} ${headers}
    VERBATIM)
  add_custom_target(${name}_kernels ALL DEPENDS ${name}.elf)

  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/tests.txt)
    add_test(NAME ${name} COMMAND sh ${SLUICE_TEST} $<TARGET_FILE:${name}> ${CMAKE_CURRENT_SOURCE_DIR}/tests.txt)
  endif()
  list(JOIN OF_ARGUMENTS " " arguments)
  add_custom_target(${name}_run COMMAND ${name} ${OF_ARGUMENTS} DEPENDS ${name}_kernels USES_TERMINAL)
  add_custom_target(
    ${name}_profile
    COMMAND ${SLUICE} profile "$<TARGET_FILE:${name}> ${arguments}"
    DEPENDS ${name} ${name}_kernels
    USES_TERMINAL VERBATIM)
endfunction()
