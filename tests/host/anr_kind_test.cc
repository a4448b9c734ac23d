// SPDX-License-Identifier: Apache-2.0
// Which of Android's limits ran out.
#include "tools/stillframe/judge/anr_kind.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/host/verdict_case.h"
#include "tools/stillframe/index/dispatch.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/words/known_texts.h"

namespace stillframe::host_test {
namespace {

using judge::Anr;
using judge::AnrKind;
using judge::AnrSource;

model::Document Hanging() { return RunningIn({"shop.Sync.run:3", "shop.Sync.parse:20"}); }

Anr AnrOf(const model::Document& document) {
  return judge::Judge(index::DumpIndex(document)).anr.value_or(Anr{});
}

Anr SaidBySystem(const char* reason, const char* component = "") {
  model::Document document = Hanging();
  document.system_reason = reason;
  document.system_component = component;
  return AnrOf(document);
}

Anr SaidByMessage(int32_t what, const char* target, int64_t late_ms) {
  model::Document document = Hanging();
  AddWaiting(&document, late_ms, "");
  document.pending.back().target = target;
  document.pending.back().what = what;
  index::NameSystemMessages(&document);
  return AnrOf(document);
}

TEST(AnrKind, IsToldByTheSystemsReason) {
  struct Row {
    const char* reason;
    AnrKind kind;
    const char* component;
    const char* limit;
  };
  const Row rows[] = {
      {"ANR Input dispatching timed out (1f2e3d com.shop/com.shop.Main (server) is not responding. "
       "Waited 5001ms for MotionEvent)",
       AnrKind::kInput, "com.shop/com.shop.Main", "5 s"},
      {"ANR Input dispatching timed out (Application does not have a focused window)",
       AnrKind::kInput, "tag", "5 s"},
      {"ANR Broadcast of Intent { act=SYNC flg=0x10000010 cmp=com.shop/.Sync (has extras) }",
       AnrKind::kBroadcast, "com.shop/.Sync", "10 s for a foreground broadcast"},
      {"ANR Broadcast of Intent { act=SYNC flg=0x10 }, waited 60001ms", AnrKind::kBroadcast, "tag",
       "60 s for a background broadcast"},
      {"ANR Broadcast of Intent { act=SYNC }", AnrKind::kBroadcast, "tag",
       "10 s in the foreground, 60 s in the background"},
      {"ANR executing service com.shop/.Upload, waited 20001ms", AnrKind::kService,
       "com.shop/.Upload", "20 s in the foreground, 200 s in the background"},
      {"Context.startForegroundService() did not then call Service.startForeground(): x",
       AnrKind::kForegroundService, "tag", "10 s up to Android 12, 30 s since"},
      {"A foreground service of FOREGROUND_SERVICE_TYPE_SHORT_SERVICE did not stop within its "
       "timeout: ComponentInfo{com.shop/com.shop.Upload}",
       AnrKind::kShortService, "com.shop/com.shop.Upload", "3 minutes, and 10 s after onTimeout()"},
      {"ANR ContentProvider not responding", AnrKind::kProvider, "tag", "10 s"},
      {"ANR No response to onStartJob", AnrKind::kJob, "tag", "8 s"},
      {"Process com.shop failed to complete startup", AnrKind::kApplicationStart, "tag", "15 s"},
      {"ANR something else", AnrKind::kUnknown, "tag", ""},
  };
  for (const Row& row : rows) {
    const Anr anr = SaidBySystem(row.reason, "tag");
    EXPECT_EQ(anr.source, AnrSource::kSystem);
    EXPECT_EQ(anr.kind, row.kind) << row.reason;
    EXPECT_EQ(anr.component, row.component) << row.reason;
    EXPECT_EQ(words::TextOf(anr.limit), row.limit) << row.reason;
  }
}

TEST(AnrKind, IsElseToldByTheSystemsMessageThatWaits) {
  const Anr anr = SaidByMessage(114, "android.app.ActivityThread$H", 21'000);
  EXPECT_EQ(anr.kind, AnrKind::kService);
  EXPECT_EQ(anr.source, AnrSource::kWaitingMessage);
  EXPECT_EQ(anr.reason, "android.app.ActivityThread$H what 114 (CREATE_SERVICE)");
  EXPECT_EQ(SaidByMessage(113, "android.app.ActivityThread$H", 9'000).kind, AnrKind::kBroadcast);
  EXPECT_EQ(SaidByMessage(0, "android.app.job.JobServiceEngine$JobHandler", 9'000).kind,
            AnrKind::kJob);
}

TEST(AnrKind, HasTheComponentOfTheMessageThatWaits) {
  model::Document document = Hanging();
  AddWaiting(&document, 12'000, "");
  document.pending.back().target = "android.app.ActivityThread$H";
  document.pending.back().what = 113;
  document.pending.back().component = "shop.SYNC to com.shop/.SyncReceiver";
  index::NameSystemMessages(&document);
  const Anr anr = AnrOf(document);
  EXPECT_EQ(anr.component, "shop.SYNC to com.shop/.SyncReceiver");
  EXPECT_EQ(
      anr.reason,
      "android.app.ActivityThread$H what 113 (RECEIVER of shop.SYNC to com.shop/.SyncReceiver)");
  EXPECT_NE(EvidenceOf(judge::Judge(index::DumpIndex(document)))
                .find("ANR type: broadcast (limit 10 s in the foreground, 60 s in the background), "
                      "guessed from the queue"),
            std::string::npos);
}

TEST(AnrKind, IsNotMadeUp) {
  const auto has_anr = [](const model::Document& document) {
    return judge::Judge(index::DumpIndex(document)).anr.has_value();
  };
  model::Document document = Hanging();
  EXPECT_FALSE(has_anr(document));
  AddWaiting(&document, 8'000, "shop.Tick");  // an application's own has no limit
  EXPECT_FALSE(has_anr(document));
  AddWaiting(&document, 900, "");
  document.pending.back().target = "android.app.ActivityThread$H";
  document.pending.back().what = 113;
  EXPECT_FALSE(has_anr(document)) << "due for less than a second";
}

TEST(AnrKind, ReasonsOfAnySizeAreReadToTheirEnd) {
  for (const char* reason : {"Broadcast of ", "Broadcast of flg=0x", "Broadcast of cmp=",
                             "executing service ", "Input dispatching timed out /", "/", "ANR "})
    EXPECT_EQ(SaidBySystem(reason).component, reason[0] == 'I' ? "/" : "") << reason;
  EXPECT_LE(SaidBySystem(std::string(100'000, 'x').c_str()).reason.size(), 310U);
}

}  // namespace
}  // namespace stillframe::host_test
