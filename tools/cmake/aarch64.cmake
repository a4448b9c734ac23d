# SPDX-License-Identifier: Apache-2.0
# Runs under qemu-user.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(STILLFRAME_TRIPLE aarch64-linux-gnu)
set(STILLFRAME_PACKAGES cross-arm64)
set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CURRENT_LIST_DIR}/../../build/packages/qemu/qemu-aarch64;-cpu;max;-L;/usr/aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
