// SPDX-License-Identifier: Apache-2.0
// The verdict on a dump without messages: traces of an ANR show the main thread once.
#include <algorithm>
#include <array>

#include "src/model/trace_tree.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/judge/case.h"
#include "tools/stillframe/judge/culprit.h"

namespace stillframe::judge {

using index::DumpIndex;
using model::ThreadStack;
using model::ThreadState;

namespace {

constexpr size_t kNearest = 4;  // frames in which a wait shows

struct Wait {
  std::string_view class_name;
  std::string_view method;  // beginning of the name
  Cause cause;
};
// AOSP 4.4 to 16: libcore java/lang, dalvik/system/VMStack; frameworks/base android/os.
constexpr std::array kWaits = {
    Wait{"java.lang.Thread", "sleep", Cause::kSleep},
    Wait{"java.lang.VMThread", "sleep", Cause::kSleep},
    Wait{"android.os.SystemClock", "sleep", Cause::kSleep},
    Wait{"java.lang.Object", "wait", Cause::kWait},
    Wait{"java.lang.Thread", "join", Cause::kWait},
    Wait{"java.lang.Thread", "parkFor", Cause::kWait},
    Wait{"sun.misc.Unsafe", "park", Cause::kWait},
    Wait{"jdk.internal.misc.Unsafe", "park", Cause::kWait},
    Wait{"java.util.concurrent.locks.LockSupport", "park", Cause::kWait},
};

// Names of functions of Android's C library that wait in the kernel, innermost first on a stack,
// and what they wait for. Those of system calls may have "__" in front.
struct NativeWait {
  std::string_view name;
  Cause cause;
};
constexpr std::array kNativeWaits = {
    NativeWait{"fsync", Cause::kInputOutput},
    NativeWait{"fdatasync", Cause::kInputOutput},
    NativeWait{"sync_file_range", Cause::kInputOutput},
    NativeWait{"openat", Cause::kInputOutput},
    NativeWait{"read", Cause::kInputOutput},
    NativeWait{"readv", Cause::kInputOutput},
    NativeWait{"pread64", Cause::kInputOutput},
    NativeWait{"write", Cause::kInputOutput},
    NativeWait{"writev", Cause::kInputOutput},
    NativeWait{"pwrite64", Cause::kInputOutput},
    NativeWait{"fstatat64", Cause::kInputOutput},
    NativeWait{"fstat64", Cause::kInputOutput},
    NativeWait{"faccessat", Cause::kInputOutput},
    NativeWait{"unlinkat", Cause::kInputOutput},
    NativeWait{"renameat", Cause::kInputOutput},
    NativeWait{"mkdirat", Cause::kInputOutput},
    NativeWait{"getdents64", Cause::kInputOutput},
    NativeWait{"ftruncate64", Cause::kInputOutput},
    NativeWait{"flock", Cause::kWait},
    NativeWait{"recvfrom", Cause::kInputOutput},
    NativeWait{"recvmsg", Cause::kInputOutput},
    NativeWait{"sendto", Cause::kInputOutput},
    NativeWait{"sendmsg", Cause::kInputOutput},
    NativeWait{"connect", Cause::kInputOutput},
    NativeWait{"accept4", Cause::kInputOutput},
    NativeWait{"poll", Cause::kWait},
    NativeWait{"ppoll", Cause::kWait},
    NativeWait{"select", Cause::kWait},
    NativeWait{"pselect6", Cause::kWait},
    NativeWait{"epoll_wait", Cause::kWait},
    NativeWait{"epoll_pwait", Cause::kWait},
    NativeWait{"syscall", Cause::kWait},  // futexes of the runtime, engines and std::mutex use it
    NativeWait{"futex", Cause::kWait},
    NativeWait{"futex_wait_ex", Cause::kWait},
    NativeWait{"pthread_cond_wait", Cause::kWait},
    NativeWait{"pthread_cond_timedwait", Cause::kWait},
    NativeWait{"pthread_mutex_lock", Cause::kWait},
    NativeWait{"pthread_join", Cause::kWait},
    NativeWait{"sem_wait", Cause::kWait},
    NativeWait{"sem_timedwait", Cause::kWait},
    NativeWait{"wait4", Cause::kWait},
    NativeWait{"nanosleep", Cause::kSleep},
    NativeWait{"clock_nanosleep", Cause::kSleep},
    NativeWait{"usleep", Cause::kSleep},
};

// "pthread_cond_wait" of "pthread_cond_wait+80", "futex_wait_ex" of "__futex_wait_ex(void*)+144",
// "pread64" of the linker's "__dl_pread64+8".
std::string_view FunctionOf(std::string_view symbol) {
  symbol = symbol.substr(0, symbol.find_first_of("(+ "));
  if (symbol.starts_with("__dl_")) symbol.remove_prefix(5);
  while (symbol.starts_with('_')) symbol.remove_prefix(1);
  return symbol;
}

// Java methods that wait outside the CPU in native code, without native frames in the text.
constexpr std::array kNativeMethods = {
    Wait{"android.graphics.HardwareRenderer", "nSyncAndDrawFrame", Cause::kWait},
    Wait{"android.view.ThreadedRenderer", "nSyncAndDrawFrame", Cause::kWait},
    Wait{"android.graphics.HardwareRenderer", "nFence", Cause::kWait},
    Wait{"io.flutter.embedding.engine.FlutterJNI", "nativeSurfaceChanged", Cause::kWait},
    Wait{"io.flutter.embedding.engine.FlutterJNI", "nativeSurfaceCreated", Cause::kWait},
    Wait{"io.flutter.embedding.engine.FlutterJNI", "nativeSurfaceDestroyed", Cause::kWait},
    Wait{"com.android.org.conscrypt.NativeCrypto", "SSL_read", Cause::kInputOutput},
    Wait{"com.android.org.conscrypt.NativeCrypto", "SSL_write", Cause::kInputOutput},
    Wait{"com.android.org.conscrypt.NativeCrypto", "SSL_do_handshake", Cause::kInputOutput},
    Wait{"com.android.org.conscrypt.NativeCrypto", "ENGINE_SSL_do_handshake", Cause::kInputOutput},
    Wait{"org.conscrypt.NativeCrypto", "SSL_read", Cause::kInputOutput},
    Wait{"org.conscrypt.NativeCrypto", "SSL_write", Cause::kInputOutput},
    Wait{"org.conscrypt.NativeCrypto", "SSL_do_handshake", Cause::kInputOutput},
};

Cause CauseOfState(ThreadState state) {
  switch (state) {
    case ThreadState::kBlocked: return Cause::kLock;
    case ThreadState::kSleeping: return Cause::kSleep;
    case ThreadState::kWaiting:
    case ThreadState::kTimedWaiting:
    case ThreadState::kWaitingForClass:
    case ThreadState::kWaitingForLibrary: return Cause::kWait;
    case ThreadState::kWaitingForGc:
    case ThreadState::kCollecting: return Cause::kRuntime;
    default: return Cause::kWork;
  }
}

bool IsPoll(const model::FrameTable& frames, model::FrameId id) {
  return frames.ClassName(id) == "android.os.MessageQueue" &&
         frames.MethodName(id) == "nativePollOnce";
}

class OneLook {
 public:
  OneLook(const DumpIndex& index, Verdict* verdict)
      : index_(index),
        document_(index.document()),
        main_(document_.thread_stacks->stacks.front()),
        verdict_(*verdict) {}

  void Explain() {
    verdict_.is_at_dump = true;
    verdict_.is_unnamed = main_.name == index::kUnnamedThread;
    Limit(Confidence::kLow, ConfidenceReason::kOneLook, &verdict_);
    if (IsIdle()) {
      verdict_.kind = Kind::kIdle;
      verdict_.cause = Cause::kOutside;
      return;
    }
    verdict_.cause = CauseOfStack();
    if (main_.frames.empty())
      verdict_.kind = KindOfMessage(verdict_.cause, {});
    else
      AddCulprit();
    if (!main_.native.empty()) verdict_.evidence.push_back(evidence::NativeAt{Native()});
  }

 private:
  // In its Looper's poll, by the Java frame or by the native frames of a stack without one.
  bool IsIdle() const {
    const size_t nearest = std::min(main_.frames.size(), kNearest);
    for (size_t i = 0; i < nearest; ++i)
      if (IsPoll(document_.frames, main_.frames[i])) return NativeIsPoll();
    return main_.frames.empty() && !main_.native.empty() && HasNative("pollInner") &&
           NativeIsPoll();
  }

  bool HasNative(std::string_view symbol) const {
    return std::ranges::any_of(
        main_.native,
        [symbol](const model::NativeFrame& frame) {
          return frame.symbol.find(symbol) != std::string::npos;
        });
  }

  // Native code above the poll is a callback, which is work.
  bool NativeIsPoll() const {
    if (main_.native.empty()) return true;
    const std::string& innermost = main_.native.front().symbol;
    return innermost.find("epoll_") != std::string::npos ||
           innermost.find("pollInner") != std::string::npos || innermost.empty();
  }

  Cause CauseOfStack() const {
    const model::FrameTable& frames = document_.frames;
    if (main_.wait == model::WaitKind::kMonitor) return Cause::kLock;
    const Cause by_state = CauseOfState(main_.state);
    if (by_state == Cause::kLock || by_state == Cause::kRuntime) return by_state;
    for (const model::FrameId id : main_.frames) {
      const index::Outside outside = index::WaitedFor(frames, id);
      if (outside == index::Outside::kBinder) return Cause::kBinder;
      if (outside == index::Outside::kInputOutput) return Cause::kInputOutput;
      if (index_.own().Has(frames.ClassName(id))) break;
    }
    for (size_t i = 0; i < std::min(main_.frames.size(), kNearest); ++i)
      for (const Wait& wait : kWaits)
        if (frames.ClassName(main_.frames[i]) == wait.class_name &&
            frames.MethodName(main_.frames[i]).starts_with(wait.method))
          return wait.cause;
    return by_state == Cause::kWork ? CauseInNative() : by_state;
  }

  // By the innermost native frames; without any, by the innermost Java method.
  Cause CauseInNative() const {
    if (KernelState() == 'R') return Cause::kWork;
    constexpr size_t kInnermost = 4;
    for (size_t i = 0; i < std::min(main_.native.size(), kInnermost); ++i) {
      const std::string& symbol = main_.native[i].symbol;
      if (symbol.find("IPCThreadState::") != std::string::npos) return Cause::kBinder;
      if (symbol.starts_with("art::ConditionVariable::Wait") || symbol.starts_with("art::Mutex::"))
        return Cause::kWait;
      const auto known = std::ranges::find(kNativeWaits, FunctionOf(symbol), &NativeWait::name);
      if (known != kNativeWaits.end() && IsOfLibcOrLinker(main_.native[i])) return known->cause;
    }
    const model::FrameTable& frames = document_.frames;
    for (const Wait& wait : kNativeMethods)
      if (!main_.frames.empty() && frames.ClassName(main_.frames[0]) == wait.class_name &&
          frames.MethodName(main_.frames[0]) == wait.method)
        return wait.cause;
    if (main_.state != ThreadState::kNative) return Cause::kWork;
    // Uninterruptible: the kernel waits for a device. Asleep or stopped: not on a CPU.
    switch (KernelState()) {
      case 'D': return Cause::kInputOutput;
      case 'S':
      case 'T':
      case 't': return Cause::kWait;
      default: return Cause::kWork;
    }
  }

  bool IsOfLibcOrLinker(const model::NativeFrame& frame) const {
    if (frame.module == 0 || frame.module > document_.modules.size()) return false;
    const std::string& path = document_.modules[frame.module - 1].path;
    const std::string_view file = std::string_view(path).substr(path.rfind('/') + 1);
    return file == "libc.so" || file == "linker64" || file == "linker";
  }

  // 'R', 'S', 'D' and the like; 0: not known.
  char KernelState() const {
    if (!document_.threads) return 0;
    const auto row = std::ranges::find(document_.threads->rows, main_.tid, &model::ThreadRow::tid);
    return row == document_.threads->rows.end() ? '\0' : row->state;
  }

  // A tree of one sample.
  index::CallTree Tree() const {
    model::TraceTree tree(Token{1});
    // A binder call is known by its proxy, not by the transport below.
    size_t inner = 0;
    for (size_t i = 0; i < main_.frames.size() && verdict_.cause == Cause::kBinder; ++i)
      if (index::WaitedFor(document_.frames, main_.frames[i]) == index::Outside::kBinder)
        inner = i + 1;
    if (inner == main_.frames.size()) inner = 0;
    std::vector<model::FrameId> stack(main_.frames.begin() + static_cast<ptrdiff_t>(inner),
                                      main_.frames.end());
    std::ranges::reverse(stack);
    tree.Add(stack, {1, 1, 0, main_.state});
    return {document_.frames, tree};
  }

  void AddCulprit() {
    const index::CallTree tree = Tree();
    Helpers helpers;
    for (const ThreadStack& stack : document_.thread_stacks->stacks)
      helpers.Add(document_.frames, stack.frames, index_.own());
    verdict_.culprit = FindCulprit(tree, index_.own(), helpers, false, IsOutside(verdict_.cause));
    if (!verdict_.culprit) {
      verdict_.kind = KindOfMessage(verdict_.cause, {});
      return;
    }
    if (IsPoll(document_.frames, main_.frames.front()) && !main_.native.empty())
      NameCallback(&*verdict_.culprit);
    verdict_.culprit->callees.clear();
    verdict_.culprit->more_callees = 0;
    verdict_.kind = KindOfMessage(verdict_.cause, *verdict_.culprit);
    if (!verdict_.culprit->caller.empty() && verdict_.culprit->caller != verdict_.culprit->method)
      verdict_.evidence.push_back(
          evidence::Caller{verdict_.culprit->caller, verdict_.culprit->caller_place});
  }

  // The Looper's poll called native code, which is to blame: the innermost of the application, else
  // what the poll called.
  void NameCallback(Culprit* culprit) const {
    auto frame = InnermostOwn();
    if (frame == main_.native.end()) {
      frame = std::ranges::find_if(main_.native, [](const model::NativeFrame& native) {
        return native.symbol.find("pollInner") != std::string::npos;
      });
      if (frame == main_.native.end() || frame == main_.native.begin()) return;
      --frame;
    }
    const std::string text = index::NativeFrameText(document_.modules, *frame, kLongestText);
    const size_t library = text.rfind(" (");
    culprit->method = text.substr(0, std::min(library, text.find_first_of("(+")));
    culprit->place =
        library == std::string::npos ? "" : text.substr(library + 2, text.size() - library - 3);
    culprit->leaf = culprit->method;
    culprit->leaf_place = culprit->place;
    culprit->caller.clear();
  }

  // Outside the C library and the runtime.
  std::vector<model::NativeFrame>::const_iterator InnermostOwn() const {
    return std::ranges::find_if_not(
        main_.native,
        [this](const model::NativeFrame& frame) {
          if (frame.module == 0 || frame.module > document_.modules.size()) return true;
          const std::string& path = document_.modules[frame.module - 1].path;
          return path.starts_with("/system/") || path.starts_with("/apex/") ||
                 path.starts_with("/vendor/");
        });
  }

  // The innermost native frame of the application, else the innermost.
  std::string Native() const {
    const auto own = InnermostOwn();
    const model::NativeFrame& frame = own == main_.native.end() ? main_.native.front() : *own;
    return index::NativeFrameText(document_.modules, frame, kLongestText);
  }

  const DumpIndex& index_;
  const model::Document& document_;
  const ThreadStack& main_;
  Verdict& verdict_;
};

}  // namespace

bool ExplainOneLook(const DumpIndex& index, Verdict* verdict) {
  if (!index.IsOneLook()) return false;
  if (ExplainLog(index, verdict)) return true;
  const ThreadStack& main = index.document().thread_stacks->stacks.front();
  if (main.frames.empty() && main.native.empty()) {
    verdict->kind = Kind::kNotEnoughData;
    verdict->is_at_dump = true;
    Limit(Confidence::kLow, ConfidenceReason::kUnseen, verdict);
    return true;
  }
  OneLook(index, verdict).Explain();
  AddSystemReport(index, verdict);
  return true;
}

bool ExplainStackOfMessage(const DumpIndex& index, Verdict* verdict) {
  const model::Document& document = index.document();
  if (!index::IsImported(document) || !document.trees.empty() || !document.thread_stacks ||
      document.thread_stacks->stacks.empty() ||
      document.thread_stacks->stacks.front().frames.empty())
    return false;
  verdict->named_ns = 0;  // one look has no time
  OneLook(index, verdict).Explain();
  return true;
}

}  // namespace stillframe::judge
