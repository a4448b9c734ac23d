# SPDX-License-Identifier: Apache-2.0
# What the toolchain files of this folder share: Debian's cross compiler for STILLFRAME_TRIPLE, and zlib of that CPU from
# STILLFRAME_PACKAGES, where tools/setup/install-packages unpacks it.
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
# What libunwind's parts of the runtime are compiled with, where it is there for this CPU.
cmake_path(SET STILLFRAME_LIBUNWIND_INCLUDE NORMALIZE
  ${CMAKE_CURRENT_LIST_DIR}/../../build/packages/libunwind-${CMAKE_SYSTEM_PROCESSOR}/usr/include/${STILLFRAME_TRIPLE})
