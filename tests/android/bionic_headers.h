// SPDX-License-Identifier: Apache-2.0
// Imitates differences between bionic's and glibc's headers that change what compiles. The Android
// proxy includes this file before each file of the library. policy.android_headers has, for each
// difference, a mistake that no longer compiles.
#pragma once

#include <elf.h>
#include <signal.h>
#include <stdint.h>
#include <sys/inotify.h>

// Flags of a handler are unsigned, and the member that takes them is an int: Linux
// arch/x86/include/uapi/asm/signal.h, bionic libc/include/bits/signal_types.h.
#undef SA_SIGINFO
#undef SA_ONSTACK
#undef SA_RESTART
#undef SA_NODEFER
#undef SA_RESETHAND
#define SA_SIGINFO 0x00000004U
#define SA_ONSTACK 0x08000000U
#define SA_RESTART 0x10000000U
#define SA_NODEFER 0x40000000U
#define SA_RESETHAND 0x80000000U

// A value in the dynamic section is signed, for 32 bits there and for all here: Linux
// include/uapi/linux/elf.h, Elf32_Dyn.
struct SignedDyn {
  Elf64_Sxword d_tag;
  union {
    Elf64_Sxword d_val;
    Elf64_Addr d_ptr;
  } d_un;
};
#define Elf64_Dyn struct SignedDyn

// A watch is removed by an unsigned number: bionic libc/include/sys/inotify.h.
inline int RemoveUnsignedWatch(int fd, uint32_t watch) {
  return inotify_rm_watch(fd, static_cast<int>(watch));
}
#define inotify_rm_watch RemoveUnsignedWatch
