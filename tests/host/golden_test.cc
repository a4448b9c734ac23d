// SPDX-License-Identifier: Apache-2.0
// Every renderer's output on one dump, compared with tests/golden/host. When a renderer was changed
// on purpose:
//   STILLFRAME_UPDATE_GOLDEN=1 build/bin/host_test --gtest_filter='*Golden.*'
// and look at what git says has changed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/host/sample_documents.h"
#include "tests/unit/dump/read_dump_file.h"
#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/index/preorder_text.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/render/flame_svg.h"
#include "tools/stillframe/render/json.h"
#include "tools/stillframe/render/page_data.h"
#include "tools/stillframe/render/text_report.h"

namespace stillframe::host_test {
namespace {

struct GoldenCase {
  std::string name;
  std::function<model::Document()> document;
  std::function<std::string(const index::DumpIndex&, const judge::Verdict&)> render;
};

std::string Flame(const index::DumpIndex& index, const judge::Verdict& /*verdict*/) {
  return render::FlameSvg(*index.TreeOf(Token{17}), {.title = "Message 17", .subtitle = "fixture"});
}

std::string Collapsed(const index::DumpIndex& index, const judge::Verdict& /*verdict*/) {
  return exports::CollapsedStacks(index.document(), std::nullopt, exports::CollapsedUnit::kSamples);
}

std::string Article(const index::DumpIndex& index, const judge::Verdict& /*verdict*/) {
  return index::WritePreorderText(*index.TraceOf(Token{17}), index.document().frames) + "\n";
}

std::string Text(const index::DumpIndex& index, const judge::Verdict& verdict) {
  return render::TextReport(index, verdict);
}

// A line for each message, method and so on, so that a change can be seen.
std::string PageJson(const index::DumpIndex& index, const judge::Verdict& verdict) {
  render::PageData data("test");
  data.Add("anr.sfdump", index, verdict);
  std::string text = data.Json();
  for (size_t at = text.find("},{"); at != std::string::npos; at = text.find("},{", at + 2))
    text.insert(at + 2, "\n");
  return text + "\n";
}

std::string Matrix(const index::DumpIndex& index, const judge::Verdict& /*verdict*/) {
  return exports::MatrixIssue(index, Token{17});
}

std::string WholePreorder(const index::DumpIndex& index, const judge::Verdict& /*verdict*/) {
  return exports::PreorderReport(index);
}

std::string Block(const index::DumpIndex& index, const judge::Verdict& /*verdict*/) {
  return exports::BlockFacts(index, *index.document().running);
}

class Golden : public testing::TestWithParam<GoldenCase> {};

TEST_P(Golden, IsWhatItWas) {
  const std::string sample = testing::TempDir() + "golden-" + GetParam().name + ".sfdump";
  ASSERT_NO_FATAL_FAILURE(WriteSample(GetParam().document(), sample));
  const dump::ReadResult read = dump::ReadDumpFile(sample.c_str());
  std::filesystem::remove(sample);
  ASSERT_TRUE(read.ok()) << read.error;
  const index::DumpIndex index(read.document);
  const std::string got = GetParam().render(index, judge::Judge(index));
  EXPECT_EQ(got, GetParam().render(index, judge::Judge(index))) << "not deterministic";
  const std::string path = std::string(STILLFRAME_GOLDEN_FOLDER) + "/" + GetParam().name;
  if (std::getenv("STILLFRAME_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(STILLFRAME_GOLDEN_FOLDER);
    std::ofstream(path, std::ios::binary) << got;
    GTEST_SKIP() << "wrote " << path;
  }
  std::stringstream wanted;
  wanted << std::ifstream(path, std::ios::binary).rdbuf();
  ASSERT_FALSE(wanted.str().empty()) << path << " is missing";
  EXPECT_TRUE(got == wanted.str())
      << "differs from " << path << "; if that is wanted, see the top of golden_test.cc\n"
      << (got.size() < 8'000 ? got : "");
}

std::string NameOfCase(const testing::TestParamInfo<GoldenCase>& info) {
  std::string name = info.param.name;
  for (char& c : name) c = c == '.' || c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Outputs, Golden,
                         testing::Values(GoldenCase{"anr.page.json", AnrDocument, PageJson},
                                         GoldenCase{"anr.txt", AnrDocument, Text},
                                         GoldenCase{"anr.svg", AnrDocument, Flame},
                                         GoldenCase{"anr.listing", AnrDocument, render::Listing},
                                         GoldenCase{"anr.collapsed", AnrDocument, Collapsed},
                                         GoldenCase{"anr.article", AnrDocument, Article},
                                         GoldenCase{"anr.article-report", AnrDocument,
                                                    WholePreorder},
                                         GoldenCase{"anr.matrix", AnrDocument, Matrix},
                                         GoldenCase{"anr.block", AnrDocument, Block},
                                         GoldenCase{"quiet.page.json", QuietDocument, PageJson},
                                         GoldenCase{"quiet.txt", QuietDocument, Text}),
                         NameOfCase);

// Fields of `inspect --json`: one of each part, and each form of a value.
TEST(Json, HasTheFieldsOfEachPart) {
  static constexpr std::pair<const char*, const char*> kFields[] = {
      {"/partial", "false"},
      {"/format_version", "1"},
      {"/trigger", R"("sigquit")"},
      {"/trigger_confirmed", R"("late message")"},
      {"/taken_realtime_ns", "1790000000000000000"},
      {"/verdict/kind", R"("method")"},
      {"/verdict/confidence", R"("high")"},
      {"/verdict/token", "17"},
      {"/verdict/window_ns", "2755000000"},
      {"/verdict/culprit/method", R"("fixture.Decimal.multiply")"},
      {"/verdict/culprit/place", R"("Decimal.java:23")"},
      {"/verdict/culprit/held_us", "2723000"},
      {"/verdict/culprit/state", R"("runnable")"},
      {"/verdict/contributors/0/cause", R"("work")"},
      {"/verdict/contributors/0/methods/0/self_us", "1890000"},
      {"/identity/abi", R"("x86_64")"},
      {"/identity/sampler_state", R"("on")"},
      {"/configuration/1", R"({"name": "interval_ms", "value": "10"})"},
      {"/counters/3", R"({"name": "drops_ring_full", "value": 0})"},
      {"/history/0/token", "4"},
      {"/history/0/wait_ns", "1000000"},
      {"/history/3/callback", R"("fixture.Main$Thrower")"},
      {"/history/3/threw", "true"},
      {"/history/3/cpu_ns", "300000000"},
      {"/history/3/runqueue_wait_ns", "null"},
      {"/running/wait_ns", "null"},
      {"/running/has_tree", "true"},
      {"/running/identity_unknown", "true"},
      {"/running/text", R"json("Runnable fixture.Main$1")json"},
      {"/pending/absent", R"("not asked for")"},
      {"/pending/messages/0/delay_ms", "-2755"},
      {"/pending/messages/0/target", R"("android.app.ActivityThread$H")"},
      {"/pending/messages/0/age_ms", "null"},
      {"/loopers/0/messages", "16421"},
      {"/history_groups/groups/0/kind", R"("mixed")"},
      {"/history_groups/groups/0/span_ns", "406000000"},
      {"/history_records/records/2/messages", "240"},
      {"/jank/missed", "212"},
      {"/jank/frozen/0/stage", R"("traversal")"},
      {"/jank/scenes/0/shown_ns", "18000000000"},
      {"/context/5", R"({"group": "memory", "name": "available_bytes", "value": 1204224000})"},
      {"/threads/rows/1/name", R"("OkHttp")"},
      {"/threads/rows/1/runqueue_wait_ms", "5"},
      {"/thread_stacks/stacks/1/absent", R"("not reached in time")"},
      {"/thread_stacks/stacks/0/state", R"("runnable")"},
      {"/modules/0/build_id", R"("1bad5eed")"},
      {"/modules/0/begin", "1879048192"},
      {"/trace_sections/sections/0",
       R"({"name": "download", "looper": 0, "begin_ns": 83110000000, "end_ns": 85000000000, "depth": 0, "async": true, "open": false})"},
      {"/trace_sections/values/0/value", "-3"},
      {"/annotations/scene", R"("CheckoutActivity")"},
      {"/annotations/entries/0/value", R"("15 %")"},
      {"/signal_catcher/absent", R"("not captured here")"},
      {"/frames/20",
       R"({"class": "fixture.Checkout", "method": "total", "signature": "()V", "file": "Checkout.java", "line": 18, "kind": "interpreted"})"},
      {"/trees/0/nodes/4", "[5, 5, 118, 0]"},
      {"/trees/0/nodes/7", "[8, 5, 4, 118]"},
      {"/trees/0/samples/0", R"([10000, 10000, 0, "waiting"])"},
  };
  const model::Document document = AnrDocument();
  const index::DumpIndex index(document);
  const auto json = nlohmann::json::parse(render::Json(index, judge::Judge(index)));
  for (const auto& [path, value] : kFields)
    EXPECT_EQ(json.value(nlohmann::json::json_pointer(path), nlohmann::json("none")),
              nlohmann::json::parse(value))
        << path;
  for (const auto& tree : json["trees"])
    EXPECT_EQ(tree["samples"].size(), tree["samples_taken"]) << tree["token"];
}

TEST(Collapsed, CountsAddUp) {
  const model::Document document = AnrDocument();
  for (const auto unit :
       {exports::CollapsedUnit::kSamples, exports::CollapsedUnit::kMicroseconds}) {
    std::istringstream lines(exports::CollapsedStacks(document, std::nullopt, unit));
    uint64_t sum = 0;
    for (std::string line; std::getline(lines, line);)
      sum += std::stoull(line.substr(line.rfind(' ') + 1));
    uint64_t wanted = 0;
    for (const model::TraceTree& tree : document.trees)
      for (const model::Sample& sample : tree.samples())
        wanted += unit == exports::CollapsedUnit::kSamples ? 1 : sample.weight_us;
    EXPECT_EQ(sum, wanted);
  }
}

}  // namespace
}  // namespace stillframe::host_test
