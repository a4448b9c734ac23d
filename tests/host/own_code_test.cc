// SPDX-License-Identifier: Apache-2.0
// The application's own code, in verdicts and on the page.
#include <gtest/gtest.h>

#include "tests/host/verdict_case.h"
#include "tools/stillframe/index/outside.h"
#include "tools/stillframe/judge/judge.h"

namespace stillframe::host_test {
namespace {

model::Document Restoring() {
  return RunningIn({"shop.Start.run:3", "shop.core.Cart.restore:20", "com.google.gson.Gson.from:9",
                    "com.google.gson.JsonReader.peekNumber:800"});
}

TEST(OwnCode, IsWhatIsNeitherThePlatformsNorALibrarys) {
  const model::Document document = Restoring();
  const index::OwnCode own(document, {});
  EXPECT_TRUE(own.Has("shop.core.Cart"));
  EXPECT_FALSE(own.Has("com.google.gson.Gson"));
  EXPECT_FALSE(own.Has("java.util.ArrayList"));
  const judge::Verdict verdict = judge::Judge(index::DumpIndex(document));
  EXPECT_EQ(verdict.culprit->method, "shop.core.Cart.restore");
  EXPECT_NE(SentenceOf(verdict).find(
                "shop.core.Cart.restore, mostly in com.google.gson.JsonReader.peekNumber, ran"),
            std::string::npos)
      << SentenceOf(verdict);
}

TEST(OwnCode, EnginesAndLibrariesAreNever) {
  const model::Document document = Restoring();
  const index::OwnCode own(document, {});
  for (const char* name :
       {"androidx.compose.runtime.ComposerImpl", "kotlinx.coroutines.BuildersKt",
        "com.google.android.gms.tasks.Tasks", "com.google.firebase.FirebaseApp",
        "com.unity3d.player.UnityPlayer", "io.flutter.embedding.engine.FlutterJNI",
        "com.facebook.react.ReactActivity", "org.chromium.base.ThreadUtils", "okhttp3.RealCall",
        "okio.Buffer", "com.bumptech.glide.Glide"})
    EXPECT_FALSE(own.Has(name)) << name;
  EXPECT_TRUE(own.Has("io.fluttering.Birds"));
}

TEST(OwnCode, LayoutAndDrawingStayOnTheMainThread) {
  const auto step = [](const StackText& stack) {
    const model::Document document = RunningIn(stack);
    return words::Explain(judge::Judge(index::DumpIndex(document))).next_step;
  };
  EXPECT_EQ(step({"shop.Feed.bind:3", "android.view.LayoutInflater.inflate:500"}),
            "Make the layout cheaper: fewer and flatter views, less drawing. Hottest "
            "line: Feed.java:3 (100% of its time).");
  EXPECT_EQ(step({"android.view.View.measure:900", "shop.Chart.onMeasure:7"}).substr(0, 42),
            "Do less in shop.Chart.onMeasure: it runs w");
  EXPECT_EQ(step({"shop.Feed.parse:3"}).substr(0, 44),
            "Move shop.Feed.parse off the main thread or ");
}

TEST(OwnCode, IsThePackageThatIsGivenElseThatOfTheDump) {
  model::Document document = Restoring();
  const auto culprit = [&document](const std::vector<std::string>& packages) {
    return judge::Judge(index::DumpIndex(document, packages)).culprit->method;
  };
  EXPECT_EQ(culprit({"com.google.gson"}), "com.google.gson.JsonReader.peekNumber");
  EXPECT_EQ(culprit({"shop.Start"}), "shop.Start.run");
  EXPECT_EQ(culprit({"shop.Star"}), "com.google.gson.JsonReader.peekNumber")
      << "a package ends at a dot";
  document.context = {{"process", "package", model::ContextEntry::State::kText, "shop.core", 0}};
  EXPECT_EQ(culprit({}), "shop.core.Cart.restore");
  EXPECT_FALSE(index::OwnCode(document, {}).Has("shop.Start"));
  document.context[0].text = "elsewhere";
  EXPECT_TRUE(index::OwnCode(document, {}).Has("shop.Start")) << "no class of it is on a stack";
}

}  // namespace
}  // namespace stillframe::host_test
