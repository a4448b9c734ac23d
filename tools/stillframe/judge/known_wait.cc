// SPDX-License-Identifier: Apache-2.0
// Waits in Android's own code for something that has a name, and mostly a thread that does it.
#include <algorithm>
#include <array>
#include <string_view>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/judge/case.h"
#include "tools/stillframe/judge/wait_chain.h"

namespace stillframe::judge {
namespace {

using model::ThreadStack;

constexpr size_t kLongest = 200;

struct KnownWait {
  std::string_view class_prefix;
  std::string_view method_prefix;
  std::string_view what;
  std::string_view step;
  std::string_view worker;         // the name of the thread that does it; "": any
  std::string_view worker_class;   // on that thread's stack
  std::string_view worker_method;  // beginning of its name there
};
// AOSP 4.4 to 16: frameworks/base core/java/android/{app,database/sqlite,view},
// graphics/java/android/graphics; external/conscrypt.
constexpr std::array kKnownWaits = {
    KnownWait{"android.app.QueuedWork", "waitToFinish", "the writes of SharedPreferences.apply()",
              "Write fewer or smaller SharedPreferences with apply(), or keep them in DataStore.",
              "queued-work-looper", "android.app.SharedPreferencesImpl", "writeToFile"},
    KnownWait{"android.app.SharedPreferencesImpl", "awaitLoaded", "SharedPreferences to be loaded",
              "Load these SharedPreferences earlier on another thread, and keep them small.",
              "SharedPreferencesImpl-load", "android.app.SharedPreferencesImpl", "loadFromDisk"},
    KnownWait{"android.database.sqlite.SQLiteConnectionPool", "waitForConnection",
              "a database connection",
              "Query off the main thread, and shorten transactions on other threads.", "",
              "android.database.sqlite.SQLiteConnection", "native"},
    KnownWait{"android.graphics.HardwareRenderer", "nSyncAndDrawFrame", "the RenderThread",
              "Draw less in a frame: fewer layers, smaller bitmaps, fewer shadows.", "RenderThread",
              "", ""},
    KnownWait{"android.view.ThreadedRenderer", "nSyncAndDrawFrame", "the RenderThread",
              "Draw less in a frame: fewer layers, smaller bitmaps, fewer shadows.", "RenderThread",
              "", ""},
    KnownWait{"java.lang.Thread", "join", "another thread to end",
              "Do not join a thread on the main thread; let a callback continue.", "", "", ""},
    KnownWait{"java.util.concurrent.FutureTask", "get", "the result of a task",
              "Do not wait for a task on the main thread; let a callback continue.", "", "", ""},
    KnownWait{"java.util.concurrent.CompletableFuture", "get", "the result of a task",
              "Do not wait for a task on the main thread; let a callback continue.", "", "", ""},
    KnownWait{"java.util.concurrent.CountDownLatch", "await", "a CountDownLatch",
              "Do not wait for other threads on the main thread; let a callback continue.", "", "",
              ""},
    KnownWait{"java.util.concurrent.locks.ReentrantLock", "lock", "a ReentrantLock",
              "Hold this lock for less time on other threads, or use tryLock() on the main thread.",
              "", "", ""},
    KnownWait{"kotlinx.coroutines.BlockingCoroutine", "joinBlocking", "a coroutine (runBlocking)",
              "Do not call runBlocking() on the main thread; launch a coroutine instead.", "", "",
              ""},
    KnownWait{"com.android.org.conscrypt.NativeCrypto", "SSL_", "the network",
              "Make the request on another thread.", "", "", ""},
    KnownWait{"org.conscrypt.NativeCrypto", "SSL_", "the network",
              "Make the request on another thread.", "", "", ""},
};

// The thread that does it: by its code, else by its name. Null: it is not listed.
const ThreadStack* WorkerOf(const model::Document& document, const KnownWait& wait) {
  const std::vector<ThreadStack>& stacks = document.thread_stacks->stacks;
  const auto find = [&stacks](const auto& is) -> const ThreadStack* {
    const auto found = std::find_if(stacks.begin() + 1, stacks.end(), is);
    return found == stacks.end() ? nullptr : &*found;
  };
  const model::FrameTable& frames = document.frames;
  const ThreadStack* worker = nullptr;
  if (!wait.worker_class.empty()) {
    worker = find([&](const ThreadStack& stack) {
      return std::ranges::any_of(
          stack.frames,
          [&](model::FrameId id) {
            return frames.ClassName(id) == wait.worker_class &&
                   frames.MethodName(id).starts_with(wait.worker_method);
          });
    });
  }
  if (worker != nullptr || wait.worker.empty()) return worker;
  return find([&](const ThreadStack& stack) {
    return stack.name == wait.worker && (!stack.frames.empty() || !stack.native.empty());
  });
}

}  // namespace

void AddKnownWait(const index::DumpIndex& index, Verdict* verdict) {
  const bool is_wait = verdict->kind == Kind::kStandstill || verdict->kind == Kind::kInputOutput;
  if (!index.IsOneLook() || !is_wait || verdict->ThreadsOfChain() > 1) return;
  const model::Document& document = index.document();
  const model::FrameTable& frames = document.frames;
  const KnownWait* known = nullptr;  // the outermost one, which says more than what it calls
  for (const model::FrameId id : document.thread_stacks->stacks.front().frames) {
    const std::string_view class_name = frames.ClassName(id);
    const auto found = std::ranges::find_if(kKnownWaits, [&](const KnownWait& wait) {
      return class_name == wait.class_prefix &&
             frames.MethodName(id).starts_with(wait.method_prefix);
    });
    if (found != kKnownWaits.end()) {
      known = &*found;
      verdict->awaited_in = index::FrameText(frames, id, kLongest);
    }
    if (index.own().Has(class_name)) break;
  }
  if (known == nullptr) return;
  verdict->awaited = known->what;
  verdict->awaited_step = known->step;
  std::erase_if(verdict->evidence, [](const Evidence& fact) {
    return fact.kind == Evidence::Kind::kWaitedFor || fact.kind == Evidence::Kind::kCandidate;
  });
  verdict->chain.candidates.clear();
  const ThreadStack* worker = WorkerOf(document, *known);
  if (worker == nullptr) return;
  verdict->chain.candidates.push_back(WaiterOf(index, *worker));
  AddChainEvidence(verdict->chain, verdict);
  std::erase_if(verdict->evidence,
                [](const Evidence& fact) { return fact.kind == Evidence::Kind::kWaitedFor; });
}

}  // namespace stillframe::judge
