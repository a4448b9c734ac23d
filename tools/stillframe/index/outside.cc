// SPDX-License-Identifier: Apache-2.0
// The table of methods and what each waits for.
#include "tools/stillframe/index/outside.h"

#include <array>
#include <string_view>

namespace stillframe::index {
namespace {

struct OutsideMethod {
  std::string_view class_prefix;   // the whole name, or its beginning if it ends in '*'
  std::string_view method_prefix;  // a beginning; "" is any method
  Outside what;
};

// Names of AOSP 10 to 14: frameworks/base core/java/android/os/BinderProxy.java,
// android/database/sqlite/SQLiteConnection.java,
// android/app/{SharedPreferencesImpl,QueuedWork}.java; libcore
// luni/src/main/java/libcore/io/Linux.java and ojluni java/io, java/net, sun/nio.
constexpr std::array kOutside = {
    OutsideMethod{"android.os.BinderProxy", "transact", Outside::kBinder},
    OutsideMethod{"java.io.FileInputStream", "", Outside::kInputOutput},
    OutsideMethod{"java.io.FileOutputStream", "", Outside::kInputOutput},
    OutsideMethod{"java.io.RandomAccessFile", "", Outside::kInputOutput},
    OutsideMethod{"java.io.FileDescriptor", "sync", Outside::kInputOutput},
    OutsideMethod{"java.io.UnixFileSystem", "", Outside::kInputOutput},
    OutsideMethod{"libcore.io.Linux", "", Outside::kInputOutput},
    OutsideMethod{"sun.nio.ch.*", "", Outside::kInputOutput},
    OutsideMethod{"java.net.Socket*", "", Outside::kInputOutput},
    OutsideMethod{"java.net.Inet*", "", Outside::kInputOutput},
    OutsideMethod{"android.database.sqlite.SQLiteConnection", "native", Outside::kInputOutput},
    OutsideMethod{"android.app.SharedPreferencesImpl", "awaitLoaded", Outside::kInputOutput},
    OutsideMethod{"android.app.SharedPreferencesImpl$EditorImpl", "commit", Outside::kInputOutput},
    OutsideMethod{"android.app.QueuedWork", "waitToFinish", Outside::kInputOutput},
};

bool Matches(std::string_view pattern, std::string_view name) {
  return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1))
                                : name == pattern;
}

// Without what the call has for its object. What a device is asked by ioctl is not known; whoever
// stands still in fcntl waits for a lock of a file.
struct KernelName {
  std::string_view call;
  KernelWait what;
};
constexpr std::array kKernelNames = {
    KernelName{"futex", KernelWait::kWait},      KernelName{"poll", KernelWait::kWait},
    KernelName{"epoll_wait", KernelWait::kWait}, KernelName{"select", KernelWait::kWait},
    KernelName{"waitpid", KernelWait::kWait},    KernelName{"sigwait", KernelWait::kWait},
    KernelName{"sigsuspend", KernelWait::kWait}, KernelName{"pause", KernelWait::kWait},
    KernelName{"flock", KernelWait::kWait},      KernelName{"fcntl", KernelWait::kWait},
    KernelName{"nanosleep", KernelWait::kSleep}, KernelName{"mmap", KernelWait::kNothing},
    KernelName{"munmap", KernelWait::kNothing},  KernelName{"mprotect", KernelWait::kNothing},
    KernelName{"madvise", KernelWait::kNothing}, KernelName{"ioctl", KernelWait::kNothing},
    KernelName{"system", KernelWait::kNothing},
};

Outside OutsideOf(KernelWait wait) {
  switch (wait) {
    case KernelWait::kBinder: return Outside::kBinder;
    case KernelWait::kInputOutput: return Outside::kInputOutput;
    default: return Outside::kNothing;
  }
}

}  // namespace

std::string_view KernelCallOf(const trace::FrameTable& frames,
                              std::span<const trace::FrameId> stack) {
  const bool is_call = !stack.empty() &&
                       frames.At(stack.back()).kind == trace::FrameKind::kNative &&
                       frames.ClassName(stack.back()) == trace::kKernel;
  return is_call ? frames.MethodName(stack.back()) : std::string_view();
}

// All others are of files and sockets.
KernelWait WaitInKernel(std::string_view call) {
  if (call.empty()) return KernelWait::kNothing;
  if (call.starts_with("ioctl /dev/") && call.ends_with("binder")) return KernelWait::kBinder;
  const std::string_view name = call.substr(0, call.find(' '));
  for (const KernelName& known : kKernelNames)
    if (known.call == name) return known.what;
  return KernelWait::kInputOutput;
}

Outside WaitedFor(std::string_view class_name, std::string_view method_name) {
  if (class_name == trace::kKernel) return OutsideOf(WaitInKernel(method_name));
  for (const OutsideMethod& outside : kOutside)
    if (Matches(outside.class_prefix, class_name) && method_name.starts_with(outside.method_prefix))
      return outside.what;
  return Outside::kNothing;
}

Outside WaitedFor(const trace::FrameTable& frames, trace::FrameId id) {
  return frames.At(id).kind == trace::FrameKind::kTruncated
             ? Outside::kNothing
             : WaitedFor(frames.ClassName(id), frames.MethodName(id));
}

}  // namespace stillframe::index
