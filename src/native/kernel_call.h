// SPDX-License-Identifier: Apache-2.0
// What a thread that stands still waits for in the kernel, by /proc/self/task/TID/syscall: the
// reason of a standstill that no state of the runtime's tells.
// Context: collector; blocks on system calls
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::native {

// "fsync file", "ioctl /dev/binder", "futex", "page fault": the system call and, where it has a
// descriptor, what kind of file that is; only `with_names` which: "fsync file /data/app.db", "recv
// socket 10.0.0.1:443". "" where the thread runs or the kernel does not say. The thread must stand
// still meanwhile: the caller compares its CPU clock before and after.
std::string ReadKernelCall(int32_t tid, bool with_names = false);

// Of a text of /proc/self/task/TID/syscall: the call's name, and its descriptor, -1 for none.
struct KernelCall {
  std::string name;  // "" as above
  int32_t descriptor = -1;
};
KernelCall ParseKernelCall(const std::string& text);

// What kind of file /proc/self/fd/N leads to: "file", "socket", "pipe", "eventpoll", a device's
// path.
std::string_view FileKind(std::string_view link);

// Who is at the other end of a socket of this process: "10.0.0.1:443", "[::1]:80", a path, "@" and
// an abstract name; "" where that has no name.
std::string PeerOf(int descriptor);

}  // namespace stillframe::native
