// SPDX-License-Identifier: Apache-2.0
#include "src/native/kernel_call.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>

#include "src/os/file_text.h"

namespace stillframe::native {
namespace {

constexpr int8_t kNoDescriptor = -1;

struct Call {
  uint16_t number;
  int8_t descriptor;  // index of the descriptor argument
  char name[13];      // inline: a pointer would need a relocation
};

// Calls with one purpose share one name, whatever each CPU's C library calls them.
constexpr Call kCalls[] = {
    {SYS_futex, kNoDescriptor, "futex"},
    {SYS_nanosleep, kNoDescriptor, "nanosleep"},
    {SYS_clock_nanosleep, kNoDescriptor, "nanosleep"},
    {SYS_read, 0, "read"},
    {SYS_readv, 0, "read"},
    {SYS_pread64, 0, "read"},
    {SYS_preadv, 0, "read"},
    {SYS_write, 0, "write"},
    {SYS_writev, 0, "write"},
    {SYS_pwrite64, 0, "write"},
    {SYS_pwritev, 0, "write"},
    {SYS_sendfile, 0, "sendfile"},
    {SYS_splice, 0, "splice"},
    {SYS_fsync, 0, "fsync"},
    {SYS_fdatasync, 0, "fdatasync"},
    {SYS_sync, kNoDescriptor, "sync"},
    {SYS_syncfs, 0, "sync"},
    {SYS_fallocate, 0, "fallocate"},
    {SYS_ftruncate, 0, "ftruncate"},
    {SYS_flock, 0, "flock"},
    {SYS_fcntl, 0, "fcntl"},
    {SYS_getdents64, 0, "getdents"},
    {SYS_openat, kNoDescriptor, "open"},
    {SYS_unlinkat, kNoDescriptor, "unlink"},
    {SYS_renameat2, kNoDescriptor, "rename"},
    {SYS_mkdirat, kNoDescriptor, "mkdir"},
    {SYS_faccessat, kNoDescriptor, "access"},
    {SYS_statx, kNoDescriptor, "stat"},
    {SYS_msync, kNoDescriptor, "msync"},
    {SYS_munmap, kNoDescriptor, "munmap"},
    {SYS_mprotect, kNoDescriptor, "mprotect"},
    {SYS_madvise, kNoDescriptor, "madvise"},
    {SYS_ioctl, 0, "ioctl"},
    {SYS_connect, 0, "connect"},
    {SYS_accept4, 0, "accept"},
    {SYS_recvfrom, 0, "recv"},
    {SYS_recvmsg, 0, "recv"},
    {SYS_recvmmsg, 0, "recv"},
    {SYS_sendto, 0, "send"},
    {SYS_sendmsg, 0, "send"},
    {SYS_epoll_pwait, kNoDescriptor, "epoll_wait"},
    {SYS_ppoll, kNoDescriptor, "poll"},
    {SYS_pselect6, kNoDescriptor, "select"},
    {SYS_wait4, kNoDescriptor, "waitpid"},
    {SYS_waitid, kNoDescriptor, "waitpid"},
    {SYS_rt_sigtimedwait, kNoDescriptor, "sigwait"},
    {SYS_rt_sigsuspend, kNoDescriptor, "sigsuspend"},
#ifdef SYS_mmap
    {SYS_mmap, kNoDescriptor, "mmap"},
#endif
#ifdef SYS_mmap2
    {SYS_mmap2, kNoDescriptor, "mmap"},
#endif
#ifdef SYS_open  // missing on newer CPU ports
    {SYS_open, kNoDescriptor, "open"},
    {SYS_access, kNoDescriptor, "access"},
    {SYS_unlink, kNoDescriptor, "unlink"},
    {SYS_rename, kNoDescriptor, "rename"},
    {SYS_renameat, kNoDescriptor, "rename"},
    {SYS_mkdir, kNoDescriptor, "mkdir"},
    {SYS_rmdir, kNoDescriptor, "unlink"},
    {SYS_stat, kNoDescriptor, "stat"},
    {SYS_lstat, kNoDescriptor, "stat"},
    {SYS_poll, kNoDescriptor, "poll"},
    {SYS_epoll_wait, kNoDescriptor, "epoll_wait"},
    {SYS_pause, kNoDescriptor, "pause"},
#endif
#ifdef SYS_newfstatat
    {SYS_newfstatat, kNoDescriptor, "stat"},
#endif
#ifdef SYS_fstatat64
    {SYS_fstatat64, kNoDescriptor, "stat"},
#endif
#ifdef SYS_fcntl64
    {SYS_fcntl64, 0, "fcntl"},
#endif
#ifdef SYS_ftruncate64
    {SYS_ftruncate64, 0, "ftruncate"},
#endif
#ifdef SYS_futex_time64  // 64-bit time on 32-bit CPUs
    {SYS_futex_time64, kNoDescriptor, "futex"},
    {SYS_clock_nanosleep_time64, kNoDescriptor, "nanosleep"},
    {SYS_ppoll_time64, kNoDescriptor, "poll"},
    {SYS_pselect6_time64, kNoDescriptor, "select"},
#endif
};

bool ReadArgument(const char* text, int index, int32_t* value) {
  for (int i = 0;; ++i) {
    char* end = nullptr;
    const uint64_t argument = strtoull(text, &end, 16);
    if (end == text) return false;
    if (i == index) *value = static_cast<int32_t>(argument);
    if (i == index) return true;
    text = end;
  }
}

}  // namespace

// "running", "-1 sp pc" outside of system calls, or number, six arguments, sp, pc.
KernelCall ParseKernelCall(const std::string& text) {
  char* arguments = nullptr;
  const long number = strtol(text.c_str(), &arguments, 10);
  if (arguments == text.c_str() || *arguments != ' ') return {};
  if (number == -1) {
    const auto sp = static_cast<uintptr_t>(strtoull(arguments, &arguments, 16));
    return {kPageFault, -1, sp, static_cast<uintptr_t>(strtoull(arguments, nullptr, 16))};
  }
  for (const Call& call : kCalls) {
    if (call.number != number) continue;
    KernelCall found = {call.name};
    if (call.descriptor != kNoDescriptor)
      ReadArgument(arguments, call.descriptor, &found.descriptor);
    return found;
  }
  return {"system call " + std::to_string(number)};
}

KernelCall ReadCall(int32_t tid) {
  constexpr size_t kMaxBytes = 256;
  std::string text;
  const std::string path = "/proc/self/task/" + std::to_string(tid) + "/syscall";
  if (os::ReadFileText(path.c_str(), kMaxBytes, &text) != 0) return {};
  return ParseKernelCall(text);
}

std::string_view FileKind(std::string_view link) {
  constexpr std::string_view kAnonymous = "anon_inode:";
  if (link.starts_with("/dev/")) return link;
  if (link.starts_with("/memfd:")) return "memory file";
  if (link.starts_with("/")) return "file";
  if (link.starts_with("socket:")) return "socket";
  if (link.starts_with("pipe:")) return "pipe";
  if (!link.starts_with(kAnonymous)) return {};
  link.remove_prefix(kAnonymous.size());
  if (link.starts_with("[") && link.ends_with("]")) link = link.substr(1, link.size() - 2);
  return link;
}

std::string PeerOf(int descriptor) {
  union {
    sockaddr any;
    sockaddr_in in;
    sockaddr_in6 in6;
    sockaddr_un un;
  } peer = {};
  socklen_t bytes = sizeof peer;
  if (getpeername(descriptor, &peer.any, &bytes) != 0) return {};
  char text[INET6_ADDRSTRLEN] = "";
  if (peer.any.sa_family == AF_INET) {
    inet_ntop(AF_INET, &peer.in.sin_addr, text, sizeof text);
    return std::string(text) + ":" + std::to_string(ntohs(peer.in.sin_port));
  }
  if (peer.any.sa_family == AF_INET6) {
    inet_ntop(AF_INET6, &peer.in6.sin6_addr, text, sizeof text);
    return "[" + std::string(text) + "]:" + std::to_string(ntohs(peer.in6.sin6_port));
  }
  constexpr socklen_t kPath = offsetof(sockaddr_un, sun_path);
  if (peer.any.sa_family != AF_UNIX || bytes <= kPath) return {};
  const bool is_abstract = peer.un.sun_path[0] == '\0';
  const size_t length = std::min<size_t>(bytes, sizeof peer.un) - kPath;
  if (is_abstract) return "@" + std::string(peer.un.sun_path + 1, length - 1);
  return {peer.un.sun_path, strnlen(peer.un.sun_path, length)};
}

std::string ReadKernelCall(int32_t tid, bool with_names) {
  constexpr size_t kMaxName = 160;
  const KernelCall call = ReadCall(tid);
  if (call.descriptor < 0) return call.name;
  char link[512];
  const std::string descriptor = "/proc/self/fd/" + std::to_string(call.descriptor);
  const ssize_t bytes = readlink(descriptor.c_str(), link, sizeof link);
  const std::string_view target(link, static_cast<size_t>(std::max<ssize_t>(bytes, 0)));
  const std::string_view kind = FileKind(target);
  if (kind.empty()) return call.name;
  std::string described = call.name + " " + std::string(kind.substr(0, kMaxName));
  if (!with_names) return described;
  const std::string name = kind == "socket" ? PeerOf(call.descriptor)
                           : kind == "file" ? std::string(target)
                                            : std::string();
  // The end of a path is the most specific.
  return name.empty()
             ? described
             : described + " " + name.substr(name.size() - std::min(name.size(), kMaxName));
}

}  // namespace stillframe::native
