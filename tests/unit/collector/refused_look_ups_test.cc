// SPDX-License-Identifier: Apache-2.0
// Each class and member that the library looks up may be absent or refused: one by one, and all at
// once. The library then makes no call that kills the process, and leaves no exception.
#include <gtest/gtest.h>

#include "src/art/framework_members.h"
#include "src/art/main_queue.h"
#include "src/art/runtime_probe.h"
#include "src/art/vm.h"
#include "src/jvm/error_state.h"
#include "src/jvm/message_component.h"
#include "src/jvm/pending_queue.h"
#include "src/jvm/refresh_interval.h"
#include "src/tap/tap.h"
#include "tests/unit/collector/refusing_jni.h"

namespace stillframe {
namespace {

namespace framework = art::framework;

// Calls use(jni) with each look-up refused that it makes, with all and with none refused.
template <typename Use>
void WithEachRefused(const Use& use) {
  RefusingJni whole(RefusingJni::kNone);
  use(&whole);
  EXPECT_TRUE(whole.violations().empty()) << whole.violations().front();
  EXPECT_GT(whole.look_ups(), 0);
  for (int refused = RefusingJni::kAll; refused < whole.look_ups(); ++refused) {
    RefusingJni jni(refused);
    use(&jni);
    EXPECT_TRUE(jni.violations().empty())
        << "without " << jni.refused_name() << ": " << jni.violations().front();
    EXPECT_FALSE(jni.is_pending()) << "without " << jni.refused_name();
  }
}

class RefusedLookUpsTest : public testing::Test {
 protected:
  // Never freed: taps keep a pointer.
  static tap::WatchedLoopers* Loopers() {
    static auto* loopers = new tap::WatchedLoopers;
    return loopers;
  }
};

TEST_F(RefusedLookUpsTest, TapsAreInstalledOrAbsentWithAReason) {
  for (const tap::TapKind kind :
       {tap::TapKind::kObserver, tap::TapKind::kPrinter, tap::TapKind::kProbe}) {
    WithEachRefused([kind](RefusingJni* jni) {
      tap::Tap tap;
      model::Outcome outcome = tap.LoadClasses(jni->env());
      if (outcome.ok()) outcome = tap.Install(jni->env(), kind, Loopers());
      EXPECT_EQ(outcome.ok(), tap.kind() == kind);
      EXPECT_EQ(outcome.ok(), outcome.why.empty());
      EXPECT_EQ(tap.IsInForce(jni->env()), outcome.ok());
    });
  }
}

TEST_F(RefusedLookUpsTest, WithoutTheObserverThePrinterIsLeft) {
  RefusingJni whole(RefusingJni::kNone);
  tap::Tap tap;
  ASSERT_TRUE(tap.LoadClasses(whole.env()).ok());
  RefusingJni none(RefusingJni::kAll);
  EXPECT_FALSE(tap.Install(none.env(), tap::TapKind::kObserver, Loopers()).ok());
  EXPECT_TRUE(tap.Install(whole.env(), tap::TapKind::kPrinter, Loopers()).ok());
  EXPECT_TRUE(tap.IsInForce(whole.env()));
}

TEST_F(RefusedLookUpsTest, AnErrorStateIsReadOrAbsent) {
  WithEachRefused([](RefusingJni* jni) {
    const jvm::ErrorState state = jvm::ReadErrorState(jni->env(), RefusingJni::kNumber);
    const bool was_refused = !jni->refused_name().empty();
    EXPECT_TRUE(state.is_not_responding || was_refused);
    EXPECT_FALSE(state.is_not_responding && !state.absent.empty());
  });
}

TEST_F(RefusedLookUpsTest, AComponentIsReadOrEmpty) {
  for (const char* name :
       {"android.app.ActivityThread$ReceiverData", "android.app.ActivityThread$CreateServiceData",
        "android.app.ActivityThread$ServiceArgsData", "android.app.ActivityThread$BindServiceData",
        "android.app.ActivityThread$ActivityClientRecord",
        "android.app.servertransaction.ClientTransaction"}) {
    WithEachRefused([name](RefusingJni* jni) {
      const std::string text =
          jvm::MessageComponent(jni->env(), RefusingJni::Object<jobject>(), name);
      EXPECT_TRUE(!text.empty() || !jni->refused_name().empty()) << name;
    });
  }
  RefusingJni jni(RefusingJni::kNone);
  EXPECT_EQ(jvm::MessageComponent(jni.env(), RefusingJni::Object<jobject>(), "a.B"), "");
  EXPECT_EQ(
      jvm::MessageComponent(jni.env(), RefusingJni::Object<jobject>(), framework::kReceiverData),
      "");
}

// Every object here is the same one, so each list and stack leads in a circle.
TEST_F(RefusedLookUpsTest, TheQueueIsReadOrAbsentWithAReason) {
  static constexpr size_t kMost = 4;
  WithEachRefused([](RefusingJni* jni) {
    const jvm::PendingMessages pending =
        jvm::ReadPendingQueue(jni->env(), kMost, false, jvm::Details::kObjects);
    EXPECT_NE(pending.source.empty(), pending.absent.empty()) << jni->refused_name();
    EXPECT_LE(pending.messages.size(), kMost);
    if (jni->refused_name().empty()) EXPECT_EQ(pending.messages.size(), kMost);
  });
}

TEST_F(RefusedLookUpsTest, TheHeadOfTheQueueIsKnownOrNot) {
  WithEachRefused([](RefusingJni* jni) {
    art::MainQueue queue;
    queue.Find(jni->env());
    EXPECT_FALSE(queue.HasBarrier());
    EXPECT_EQ(queue.HeadDueNs(), UINT64_MAX);
  });
}

TEST_F(RefusedLookUpsTest, TheRefreshIntervalIsReadOrUnknown) {
  WithEachRefused([](RefusingJni* jni) {
    const uint64_t interval_ns = jvm::ReadRefreshInterval(art::AttachedThread(jni->env()));
    const bool has_other_way = jni->refused_name() == "GetFieldID mMainInstance";  // Android 17
    const bool is_whole = jni->refused_name().empty() || has_other_way;
    EXPECT_EQ(interval_ns, is_whole ? RefusingJni::kNumber : 0) << jni->refused_name();
  });
}

TEST_F(RefusedLookUpsTest, AProcessIsDebuggableOnlyIfTheRuntimeSaysSo) {
  WithEachRefused([](RefusingJni* jni) {
    const bool is_debuggable = art::IsDebuggable(jni->env());
    EXPECT_EQ(is_debuggable, jni->refused_name().empty());
  });
}

TEST_F(RefusedLookUpsTest, AMethodWhoseIdIsAnIndexIsFoundOrNot) {
  WithEachRefused([](RefusingJni* jni) {
    const uintptr_t method =
        art::MethodOf(jni->env(), RefusingJni::Object<jclass>(), RefusingJni::IndexId());
    EXPECT_EQ(method, jni->refused_name().empty() ? RefusingJni::kNumber : 0);
  });
}

}  // namespace
}  // namespace stillframe
