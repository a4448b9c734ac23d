// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/words/known_texts.h"

#include <array>

#include "tools/stillframe/words/text_table.h"

namespace stillframe::words {
namespace {

using judge::AnrLimit;
using judge::Awaited;

constexpr auto kAwaitedTexts = std::to_array<AwaitedText>({
    {Awaited::kPreferencesWrite, "the writes of SharedPreferences.apply()",
     "Write fewer or smaller SharedPreferences with apply(), or keep them in DataStore."},
    {Awaited::kPreferencesLoad, "SharedPreferences to be loaded",
     "Load these SharedPreferences earlier on another thread, and keep them small."},
    {Awaited::kDatabaseConnection, "a database connection",
     "Query off the main thread, and shorten transactions on other threads."},
    {Awaited::kRenderThread, "the RenderThread",
     "Draw less in a frame: fewer layers, smaller bitmaps, fewer shadows."},
    {Awaited::kUnity, "Unity",
     "Shorten what Unity's scripts do in a frame, at a pause and at a resume."},
    {Awaited::kFlutter, "Flutter",
     "Shorten what Flutter builds and draws in a frame; see its own timeline."},
    {Awaited::kReactNative, "React Native",
     "Do not wait for JavaScript or native modules on the main thread."},
    {Awaited::kWebView, "the WebView",
     "Load less in the WebView at once, and create it before it is needed."},
    {Awaited::kGlThread, "the GLThread",
     "Shorten what the renderer does in a frame, at a pause and at a resume."},
    {Awaited::kPlayTask, "a task of Play services",
     "Do not wait for a task on the main thread; let a listener continue."},
    {Awaited::kSemaphore, "a Semaphore",
     "Do not wait for other threads on the main thread; let a callback continue."},
    {Awaited::kThreadEnd, "another thread to end",
     "Do not join a thread on the main thread; let a callback continue."},
    {Awaited::kTaskResult, "the result of a task",
     "Do not wait for a task on the main thread; let a callback continue."},
    {Awaited::kLatch, "a CountDownLatch",
     "Do not wait for other threads on the main thread; let a callback continue."},
    {Awaited::kReentrantLock, "a ReentrantLock",
     "Hold this lock for less time on other threads, or use tryLock() on the main thread."},
    {Awaited::kCoroutine, "a coroutine (runBlocking)",
     "Do not call runBlocking() on the main thread; launch a coroutine instead."},
    {Awaited::kNetwork, "the network", "Make the request on another thread."},
});
static_assert(HasAllRows(kAwaitedTexts));

struct LimitText {
  AnrLimit value;
  const char* text;
};
constexpr auto kLimitTexts = std::to_array<LimitText>({
    {AnrLimit::kInput, "5 s"},
    {AnrLimit::kBroadcast, "10 s in the foreground, 60 s in the background"},
    {AnrLimit::kForegroundBroadcast, "10 s for a foreground broadcast"},
    {AnrLimit::kBackgroundBroadcast, "60 s for a background broadcast"},
    {AnrLimit::kService, "20 s in the foreground, 200 s in the background"},
    // 10 s up to Android 12, then 30 s: ActivityManagerConstants.java of 13.
    {AnrLimit::kForegroundService, "10 s up to Android 12, 30 s since"},
    // AOSP 14, ActivityManagerConstants.java: SHORT_FGS_TIMEOUT_DURATION and the extra for the ANR.
    {AnrLimit::kShortService, "3 minutes, and 10 s after onTimeout()"},
    {AnrLimit::kProvider, "10 s"},
    {AnrLimit::kJob, "8 s"},                // JobServiceContext.java of 14
    {AnrLimit::kApplicationStart, "15 s"},  // BIND_APPLICATION_TIMEOUT of 15
});
static_assert(HasAllRows(kLimitTexts));

}  // namespace

const AwaitedText* TextOf(Awaited awaited) { return RowOf(kAwaitedTexts, awaited); }

std::string TextOf(AnrLimit limit) {
  const LimitText* row = RowOf(kLimitTexts, limit);
  return row == nullptr ? "" : row->text;
}

std::string PlaceText(const judge::evidence::MainAt& fact) {
  return fact.where.empty() ? "its Looper, waiting for messages" : fact.where;
}

std::string PlaceText(const judge::evidence::NativeAt& fact) { return fact.where; }

}  // namespace stillframe::words
