// SPDX-License-Identifier: Apache-2.0
// Waits in code of Android and of libraries for something that has a name, and mostly a thread that
// does it.
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/known_code.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/judge/case.h"
#include "tools/stillframe/judge/wait_chain.h"

namespace stillframe::judge {
namespace {

using model::ThreadStack;

constexpr size_t kMostWorkers = 3;

struct KnownWait {
  std::string_view class_name;  // '.' or '*' at its end: beginning of the name
  std::string_view method_prefix;
  Awaited awaited;
  // Beginnings of the names of threads that do it, with '|' between, the likeliest first; "": any.
  std::string_view worker;
  std::string_view worker_class;   // on that thread's stack
  std::string_view worker_method;  // beginning of its name there
};
// AOSP 4.4 to 16: frameworks/base core/java/android/{app,database/sqlite,view},
// graphics/java/android/graphics; external/conscrypt.
constexpr std::array kKnownWaits = {
    KnownWait{"android.app.QueuedWork", "waitToFinish", Awaited::kPreferencesWrite,
              "queued-work-looper", "android.app.SharedPreferencesImpl", "writeToFile"},
    KnownWait{"android.app.SharedPreferencesImpl", "awaitLoaded", Awaited::kPreferencesLoad,
              "SharedPreferencesImpl-load", "android.app.SharedPreferencesImpl", "loadFromDisk"},
    KnownWait{"android.database.sqlite.SQLiteConnectionPool", "waitForConnection",
              Awaited::kDatabaseConnection, "", "android.database.sqlite.SQLiteConnection",
              "native"},
    KnownWait{"android.graphics.HardwareRenderer", "nSyncAndDrawFrame", Awaited::kRenderThread,
              "RenderThread", "", ""},
    KnownWait{"android.view.ThreadedRenderer", "nSyncAndDrawFrame", Awaited::kRenderThread,
              "RenderThread", "", ""},
    KnownWait{"com.unity3d.player.*", "", Awaited::kUnity, "UnityMain|UnityGfxDevice", "", ""},
    KnownWait{"io.flutter.*", "", Awaited::kFlutter, "1.raster|1.ui|1.platform", "", ""},
    KnownWait{"com.facebook.react.*", "", Awaited::kReactNative,
              "mqt_native_modu|mqt_v_native|mqt_js|mqt_v_js", "", ""},
    KnownWait{"org.chromium.*", "", Awaited::kWebView,
              "CrGpuMain|Chrome_InProcGp|CrRendererMain|Chrome_IOThread", "", ""},
    // WebView's own code in release builds.
    KnownWait{"WV.*", "", Awaited::kWebView,
              "CrGpuMain|Chrome_InProcGp|CrRendererMain|Chrome_IOThread", "", ""},
    KnownWait{"android.opengl.GLSurfaceView*", "", Awaited::kGlThread, "GLThread", "", ""},
    KnownWait{"com.google.android.gms.tasks.Tasks", "await", Awaited::kPlayTask, "", "", ""},
    KnownWait{"java.util.concurrent.Semaphore", "acquire", Awaited::kSemaphore, "", "", ""},
    KnownWait{"java.lang.Thread", "join", Awaited::kThreadEnd, "", "", ""},
    KnownWait{"java.util.concurrent.FutureTask", "get", Awaited::kTaskResult, "", "", ""},
    KnownWait{"java.util.concurrent.CompletableFuture", "get", Awaited::kTaskResult, "", "", ""},
    KnownWait{"java.util.concurrent.CountDownLatch", "await", Awaited::kLatch, "", "", ""},
    KnownWait{"java.util.concurrent.locks.ReentrantLock", "lock", Awaited::kReentrantLock, "", "",
              ""},
    KnownWait{"kotlinx.coroutines.BlockingCoroutine", "joinBlocking", Awaited::kCoroutine, "", "",
              ""},
    KnownWait{"com.android.org.conscrypt.NativeCrypto", "SSL_", Awaited::kNetwork, "", "", ""},
    KnownWait{"org.conscrypt.NativeCrypto", "SSL_", Awaited::kNetwork, "", "", ""},
};

bool IsOf(std::string_view pattern, std::string_view class_name) {
  return pattern.ends_with('*') ? class_name.starts_with(pattern.substr(0, pattern.size() - 1))
                                : class_name == pattern;
}

// The thread waits for its next task.
bool IsWaitingForTask(std::string_view class_name, std::string_view method) {
  const bool is_queue = class_name.starts_with("java.util.concurrent.") &&
                        (class_name.find("Queue") != std::string_view::npos ||
                         class_name.find("Deque") != std::string_view::npos);
  return (is_queue && (method.starts_with("take") || method.starts_with("poll"))) ||
         (class_name == "java.util.concurrent.ThreadPoolExecutor" && method == "getTask") ||
         (class_name == "java.util.concurrent.ForkJoinPool" && method == "awaitWork") ||
         (class_name == "android.os.MessageQueue" && method == "nativePollOnce") ||
         (class_name.starts_with("kotlinx.coroutines.scheduling.CoroutineScheduler") &&
          method.find("ark") != std::string_view::npos);
}

class WorkerFinder {
 public:
  explicit WorkerFinder(const index::DumpIndex& index)
      : index_(index),
        frames_(index.document().frames),
        stacks_(index.document().thread_stacks->stacks) {}

  // Threads that do it: by their code, else by their name, else by what they do. The likeliest
  // first; empty: none is listed.
  std::vector<const ThreadStack*> Find(const KnownWait& wait) const {
    if (const ThreadStack* worker = ByCode(wait); worker != nullptr) return {worker};
    if (wait.worker.empty()) return wait.worker_class.empty() ? ByWork() : Stacks{};
    std::string_view names = wait.worker;
    while (!names.empty()) {
      const std::string_view name = names.substr(0, names.find('|'));
      names.remove_prefix(std::min(name.size() + 1, names.size()));
      const auto found =
          std::find_if(stacks_.begin() + 1, stacks_.end(), [name](const ThreadStack& stack) {
            return stack.name.starts_with(name) && (!stack.frames.empty() || !stack.native.empty());
          });
      if (found != stacks_.end()) return {&*found};
    }
    return {};
  }

 private:
  using Stacks = std::vector<const ThreadStack*>;

  const ThreadStack* ByCode(const KnownWait& wait) const {
    if (wait.worker_class.empty()) return nullptr;
    const auto found =
        std::find_if(stacks_.begin() + 1, stacks_.end(), [&](const ThreadStack& stack) {
          return std::ranges::any_of(stack.frames, [&](model::FrameId id) {
            return frames_.ClassName(id) == wait.worker_class &&
                   frames_.MethodName(id).starts_with(wait.worker_method);
          });
        });
    return found == stacks_.end() ? nullptr : &*found;
  }

  // The innermost frame of the application; null: none.
  const model::FrameId* OwnFrame(const ThreadStack& stack) const {
    const auto own = std::ranges::find_if(stack.frames, [this](model::FrameId id) {
      return index_.own().Has(frames_.ClassName(id));
    });
    return own == stack.frames.end() ? nullptr : &*own;
  }

  // Idle threads are in these methods, too.
  bool IsRest(model::FrameId id) const {
    const std::string_view method = frames_.MethodName(id);
    return method == "park" || method == "wait" || method == "sleep";
  }

  // 0: the thread is idle, or no pool's and in code of others.
  int Likelihood(const ThreadStack& stack, std::string_view class_of_main) const {
    const model::FrameId* own = OwnFrame(stack);
    for (const model::FrameId& id : stack.frames) {
      if (&id == own) break;
      if (IsWaitingForTask(frames_.ClassName(id), frames_.MethodName(id))) return 0;
    }
    if (own == nullptr) {
      const bool is_at_work = !stack.frames.empty() && !IsRest(stack.frames.front());
      return is_at_work && index::IsPoolThread(stack.name) ? 2 : 0;
    }
    const bool is_of_main = std::ranges::any_of(stack.frames, [&](model::FrameId id) {
      return !class_of_main.empty() && index::TopClass(frames_.ClassName(id)) == class_of_main;
    });
    return 1 + (is_of_main ? 4 : 0) + (index::IsPoolThread(stack.name) ? 2 : 0);
  }

  // All of the greatest likelihood. A thread that shares neither a class nor a pool with main's
  // wait counts only if it is alone.
  Stacks ByWork() const {
    const model::FrameId* own = OwnFrame(stacks_.front());
    const std::string_view class_of_main =
        own == nullptr ? std::string_view() : index::TopClass(frames_.ClassName(*own));
    Stacks best;
    int most = 1;
    for (size_t i = 1; i < stacks_.size(); ++i) {
      const int likelihood = Likelihood(stacks_[i], class_of_main);
      if (likelihood < most) continue;
      if (likelihood > most) best.clear();
      most = likelihood;
      best.push_back(&stacks_[i]);
    }
    if (most == 1 && best.size() > 1) return {};
    best.resize(std::min(best.size(), kMostWorkers));
    return best;
  }

  const index::DumpIndex& index_;
  const model::FrameTable& frames_;
  const std::vector<ThreadStack>& stacks_;
};

}  // namespace

void AddKnownWait(const index::DumpIndex& index, Verdict* verdict) {
  const bool is_wait = verdict->kind == Kind::kStandstill || verdict->kind == Kind::kInputOutput;
  if (!index.IsOneLook() || !is_wait || verdict->ThreadsOfChain() > 1) return;
  const model::Document& document = index.document();
  const model::FrameTable& frames = document.frames;
  const KnownWait* known = nullptr;  // the outermost one, which says more than what it calls
  bool is_called_by_culprit = false;
  for (const model::FrameId id : document.thread_stacks->stacks.front().frames) {
    const std::string_view class_name = frames.ClassName(id);
    const auto found = std::ranges::find_if(kKnownWaits, [&](const KnownWait& wait) {
      return IsOf(wait.class_name, class_name) &&
             frames.MethodName(id).starts_with(wait.method_prefix);
    });
    if (found != kKnownWaits.end() && known != &*found) {
      known = &*found;
      verdict->awaited_in = index::FrameText(frames, id, kLongestText);
      is_called_by_culprit = false;
    } else if (known != nullptr && verdict->culprit) {
      is_called_by_culprit =
          is_called_by_culprit ||
          index::FrameText(frames, id, kLongestText).starts_with(verdict->culprit->method + " (");
    }
    if (index.own().Has(class_name)) break;
  }
  if (known == nullptr) return;
  verdict->awaited = known->awaited;
  verdict->is_awaited_by_culprit = is_called_by_culprit || !verdict->culprit;
  std::erase_if(verdict->evidence, [](const Evidence& fact) {
    return std::holds_alternative<evidence::WaitedFor>(fact) ||
           std::holds_alternative<evidence::Candidate>(fact);
  });
  verdict->chain.candidates.clear();
  const auto workers = WorkerFinder(index).Find(*known);
  if (workers.empty()) return;
  for (const ThreadStack* worker : workers)
    verdict->chain.candidates.push_back(WaiterOf(index, *worker));
  AddChainEvidence(verdict->chain, verdict);
  std::erase_if(verdict->evidence, [](const Evidence& fact) {
    return std::holds_alternative<evidence::WaitedFor>(fact);
  });
}

}  // namespace stillframe::judge
