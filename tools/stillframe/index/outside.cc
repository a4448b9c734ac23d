// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/index/outside.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "src/model/context_names.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/known_code.h"
#include "tools/stillframe/index/method_name.h"

namespace stillframe::index {
namespace {

bool IsIn(std::string_view class_name, std::string_view package) {
  return class_name.starts_with(package) &&
         (class_name.size() == package.size() || class_name[package.size()] == '.' ||
          class_name[package.size()] == '$');
}

std::string PackageOf(const model::Document& document) {
  for (const model::ContextEntry& entry : document.context)
    if (entry.state == model::ContextEntry::State::kText &&
        entry.group == model::context::kProcess && entry.name == model::context::kPackage)
      return entry.text;
  return {};
}

// Traces name the process, whose name begins with the package. Its code may have another package,
// so that it must be on the main thread's stack.
std::vector<std::string> PackageOnMainStack(const model::Document& document) {
  const std::string& process = document.identity.process_name;
  const std::string package = process.substr(0, process.find(':'));
  if (package.find('.') == std::string::npos || !document.thread_stacks ||
      document.thread_stacks->stacks.empty())
    return {};
  const std::vector<model::FrameId>& stack = document.thread_stacks->stacks[0].frames;
  const bool is_there = std::ranges::any_of(
      stack, [&](model::FrameId id) { return IsIn(document.frames.ClassName(id), package); });
  return is_there ? std::vector<std::string>{package} : std::vector<std::string>();
}

constexpr size_t kLongest = 160;
constexpr std::string_view kQueue = "android.os.MessageQueue";

bool IsTruncation(const model::FrameTable& frames, model::FrameId id) {
  return frames.At(id).kind == model::FrameKind::kTruncated;
}

// The innermost call of the loop counts, because a handler may run its own loop.
bool IsLoopFrame(const model::FrameTable& frames, model::FrameId id) {
  const std::string_view name = frames.ClassName(id);
  return !IsTruncation(frames, id) &&
         (name == kQueue || name == "android.os.Looper" ||
          (name == "android.os.Handler" && frames.MethodName(id) == "dispatchMessage"));
}

struct OutsideMethod {
  std::string_view class_prefix;   // whole name, or its beginning before a final '*'
  std::string_view method_prefix;  // beginning of the name; "" is any method
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

// Names without the call's object. The purpose of an ioctl on a device is unknown. A thread idle in
// fcntl waits for a file lock.
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
    KernelName{"nanosleep", KernelWait::kSleep}, KernelName{"mmap", KernelWait::kWait},
    KernelName{"munmap", KernelWait::kWait},     KernelName{"mprotect", KernelWait::kWait},
    KernelName{"madvise", KernelWait::kWait},    KernelName{"ioctl", KernelWait::kNothing},
    KernelName{"system", KernelWait::kNothing},  KernelName{"page", KernelWait::kMemory},
};

Outside OutsideOf(KernelWait wait) {
  switch (wait) {
    case KernelWait::kBinder: return Outside::kBinder;
    case KernelWait::kInputOutput: return Outside::kInputOutput;
    case KernelWait::kMemory: return Outside::kMemory;
    default: return Outside::kNothing;
  }
}

}  // namespace

OwnCode::OwnCode(const model::Document& document, const std::vector<std::string>& packages)
    : packages_(packages) {
  std::erase(packages_, "");
  if (!packages_.empty()) return;
  const model::FrameTable& frames = document.frames;
  const std::string package = PackageOf(document);
  if (package.empty()) {
    packages_ = PackageOnMainStack(document);
    return;
  }
  for (model::FrameId id = 0; id < frames.size(); ++id) {
    if (IsIn(frames.ClassName(id), package)) {
      packages_ = {package};
      return;
    }
  }
}

bool OwnCode::Has(std::string_view class_name) const {
  const auto in = [class_name](std::string_view package) { return IsIn(class_name, package); };
  if (!packages_.empty()) return std::any_of(packages_.begin(), packages_.end(), in);
  return OwnerOf(class_name) == CodeOwner::kUnknown;
}

std::string IdleHandlerOf(const model::FrameTable& frames, std::span<const model::FrameId> stack) {
  size_t above = stack.size();
  while (above > 0 && !IsLoopFrame(frames, stack[above - 1])) --above;
  const auto is_of_queue = [&frames](model::FrameId id) {
    return !IsTruncation(frames, id) && frames.ClassName(id) == kQueue;
  };
  // Calls of `next` within its own class belong to the loop.
  size_t next = above;
  while (next > 0 && is_of_queue(stack[next - 1]) && frames.MethodName(stack[next - 1]) != "next")
    --next;
  if (next == 0 || !is_of_queue(stack[next - 1])) return {};
  const auto called = stack.subspan(above);
  const auto own = std::ranges::find_if(
      called,
      [&frames](model::FrameId id) {
        return !IsTruncation(frames, id) && !index::IsPlatformClass(frames.ClassName(id));
      });
  const auto first =
      own != called.end() ? own : std::ranges::find_if(called, [&frames](model::FrameId id) {
        return !IsTruncation(frames, id);
      });
  if (first == called.end()) return {};
  std::string name(frames.ClassName(*first));
  name.append(".").append(frames.MethodName(*first));
  return index::Truncated(name, kLongest);
}

bool IsBeforeLoop(const model::FrameTable& frames, std::span<const model::FrameId> stack) {
  return !stack.empty() && !IsTruncation(frames, stack[0]) &&
         std::ranges::none_of(
             stack, [&](model::FrameId id) { return IsLoopFrame(frames, id); });
}

std::string NewestIdleHandler(const model::FrameTable& frames, const model::TraceTree* tree) {
  std::string handler;
  if (tree == nullptr) return handler;
  const uint32_t newest = tree->sample_count() - 1;
  tree->ForEachStack(
      [&](uint32_t i, std::span<const model::FrameId> stack, const model::Sample& /*sample*/) {
        if (i == newest) handler = IdleHandlerOf(frames, stack);
      });
  return handler;
}

std::string_view KernelCallOf(const model::FrameTable& frames,
                              std::span<const model::FrameId> stack) {
  const bool is_call = !stack.empty() &&
                       frames.At(stack.back()).kind == model::FrameKind::kNative &&
                       frames.ClassName(stack.back()) == model::kKernel;
  return is_call ? frames.MethodName(stack.back()) : std::string_view();
}

// Calls missing from the table concern files and sockets.
KernelWait WaitInKernel(std::string_view call) {
  if (call.empty()) return KernelWait::kNothing;
  if (call.starts_with("ioctl /dev/") && call.ends_with("binder")) return KernelWait::kBinder;
  const std::string_view name = call.substr(0, call.find(' '));
  for (const KernelName& known : kKernelNames)
    if (known.call == name) return known.what;
  return KernelWait::kInputOutput;
}

Outside WaitedFor(std::string_view class_name, std::string_view method_name) {
  if (class_name == model::kKernel) return OutsideOf(WaitInKernel(method_name));
  for (const OutsideMethod& outside : kOutside)
    if (Matches(outside.class_prefix, class_name) && method_name.starts_with(outside.method_prefix))
      return outside.what;
  return Outside::kNothing;
}

Outside WaitedFor(const model::FrameTable& frames, model::FrameId id) {
  return frames.At(id).kind == model::FrameKind::kTruncated
             ? Outside::kNothing
             : WaitedFor(frames.ClassName(id), frames.MethodName(id));
}

}  // namespace stillframe::index
