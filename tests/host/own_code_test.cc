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
