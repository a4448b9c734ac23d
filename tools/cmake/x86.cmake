# SPDX-License-Identifier: Apache-2.0
# Runs on the x86-64 machine itself, with the cross compiler's own loader and C library.
set(CMAKE_SYSTEM_PROCESSOR x86)
set(STILLFRAME_TRIPLE i686-linux-gnu)
set(STILLFRAME_PACKAGES cross-i386)
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-Wl,--dynamic-linker=/usr/i686-linux-gnu/lib/ld-linux.so.2 -Wl,--disable-new-dtags -Wl,-rpath,/usr/i686-linux-gnu/lib")
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
