# SPDX-License-Identifier: Apache-2.0
# Approximates the Android build without an NDK: this machine's clang and lld, LLVM's C++ library (unpacked by
# tools/setup/install-packages), and the flags of the NDK's toolchain. The C library remains glibc.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(STILLFRAME_ANDROID_PROXY ON)
set(CMAKE_C_COMPILER clang)
set(CMAKE_CXX_COMPILER clang++)
set(CMAKE_ASM_COMPILER clang)

cmake_path(SET libcxx NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../build/packages/libcxx/usr/lib/llvm-16)
# From build/cmake/flags.cmake of r26.
string(JOIN " " flags -fdata-sections -ffunction-sections -funwind-tables
  -fstack-protector-strong -no-canonical-prefixes -D_FORTIFY_SOURCE=2 -Wformat -Werror=format-security
  -Wno-unused-command-line-argument)
set(CMAKE_C_FLAGS_INIT ${flags})
set(CMAKE_ASM_FLAGS_INIT ${flags})
set(CMAKE_CXX_FLAGS_INIT "${flags} -nostdinc++ -isystem \"${libcxx}/include/c++/v1\"")
foreach(kind IN ITEMS EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-fuse-ld=lld -nostdlib++ -Wl,--build-id=sha1 -Wl,--fatal-warnings -Wl,--no-undefined -Wl,-z,relro -Wl,-z,now")
endforeach()
set(CMAKE_CXX_STANDARD_LIBRARIES "\"${libcxx}/lib/libc++.a\" \"${libcxx}/lib/libc++abi.a\" -lpthread -ldl -lm")
