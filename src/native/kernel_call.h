// SPDX-License-Identifier: Apache-2.0
// Reads what a blocked thread waits for in the kernel, from /proc/self/task/TID/syscall. The
// runtime's thread state does not show it.
// Context: collector; blocks on system calls
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::native {

inline constexpr char kPageFault[] = "page fault";

// "fsync file", "ioctl /dev/binder", "futex", "page fault": the system call and the kind of file of
// its descriptor, if any. `with_names` adds the file or peer: "fsync file /data/app.db", "recv
// socket 10.0.0.1:443". "": the thread runs, or the kernel gives no answer. The thread must not run
// meanwhile: the caller compares its CPU clock before and after.
std::string ReadKernelCall(int32_t tid, bool with_names = false);

// Parses /proc/self/task/TID/syscall: the call's name, and its descriptor; -1: none.
struct KernelCall {
  std::string name;  // "" as above
  int32_t descriptor = -1;
  // Where a page fault is: the thread waits for a page, or for the lock of its mappings.
  uintptr_t sp = 0;
  uintptr_t pc = 0;  // 0: it is in no fault
};
KernelCall ParseKernelCall(const std::string& text);
KernelCall ReadCall(int32_t tid);

// Kind of file that /proc/self/fd/N links to: "file", "socket", "pipe", "eventpoll", or a device's
// path.
std::string_view FileKind(std::string_view link);

// Peer of a socket of this process: "10.0.0.1:443", "[::1]:80", a path, "@" and an abstract name;
// "": it has no name.
std::string PeerOf(int descriptor);

}  // namespace stillframe::native
