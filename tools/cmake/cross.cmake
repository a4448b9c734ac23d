# SPDX-License-Identifier: Apache-2.0
# Shared by this folder's toolchain files: Debian's cross compiler for STILLFRAME_TRIPLE, and that CPU's zlib from
# STILLFRAME_PACKAGES, which tools/setup/install-packages unpacks.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${STILLFRAME_TRIPLE}-gcc)
set(CMAKE_CXX_COMPILER ${STILLFRAME_TRIPLE}-g++)
set(CMAKE_ASM_COMPILER ${STILLFRAME_TRIPLE}-gcc)

cmake_path(SET packages_folder NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../build/packages/${STILLFRAME_PACKAGES})
file(GLOB ZLIB_LIBRARY ${packages_folder}/lib/*/libz.so.1)
set(ZLIB_INCLUDE_DIR ${packages_folder}/usr/include)
set(CMAKE_FIND_ROOT_PATH /usr/${STILLFRAME_TRIPLE})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# Headers for the runtime's parts that use libunwind, if unpacked for this CPU.
cmake_path(SET STILLFRAME_LIBUNWIND_INCLUDE NORMALIZE
  ${CMAKE_CURRENT_LIST_DIR}/../../build/packages/libunwind-${CMAKE_SYSTEM_PROCESSOR}/usr/include/${STILLFRAME_TRIPLE})
