# SPDX-License-Identifier: Apache-2.0
# Runs under qemu-user.
set(CMAKE_SYSTEM_PROCESSOR arm)
set(STILLFRAME_TRIPLE arm-linux-gnueabihf)
set(STILLFRAME_PACKAGES cross-armhf)
set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CURRENT_LIST_DIR}/../../build/packages/qemu/qemu-arm;-L;/usr/arm-linux-gnueabihf)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
