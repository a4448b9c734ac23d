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
#include <sstream>

#include "tests/host/sample_documents.h"
#include "tests/unit/dump/read_dump_file.h"
#include "tools/stillframe/exports/block_facts.h"
#include "tools/stillframe/exports/collapsed.h"
#include "tools/stillframe/exports/matrix_issue.h"
#include "tools/stillframe/exports/preorder_report.h"
#include "tools/stillframe/preorder/preorder_text.h"
#include "tools/stillframe/render/flame_svg.h"
#include "tools/stillframe/render/json.h"
#include "tools/stillframe/render/listing.h"
#include "tools/stillframe/render/page_data.h"
#include "tools/stillframe/render/text_report.h"
#include "tools/stillframe/rules/judge.h"

namespace stillframe::host_test {
namespace {

struct GoldenCase {
  std::string name;
  std::function<model::Document()> document;
  std::function<std::string(const index::DumpIndex&, const verdict::Verdict&)> render;
};

std::string Flame(const index::DumpIndex& index, const verdict::Verdict& /*verdict*/) {
  return render::FlameSvg(*index.TreeOf(17), {.title = "Message 17", .subtitle = "fixture"});
}

std::string Collapsed(const index::DumpIndex& index, const verdict::Verdict& /*verdict*/) {
  return exports::CollapsedStacks(index.document(), std::nullopt, exports::CollapsedUnit::kSamples);
}

std::string Article(const index::DumpIndex& index, const verdict::Verdict& /*verdict*/) {
  return preorder::WritePreorderText(*index.TraceOf(17), index.document().frames) + "\n";
}

std::string Text(const index::DumpIndex& index, const verdict::Verdict& verdict) {
  return render::TextReport(index, verdict);
}

// A line for each message, method and so on, so that a change can be seen.
std::string PageJson(const index::DumpIndex& index, const verdict::Verdict& verdict) {
  render::PageData data("test");
  data.Add("anr.sfdump", index, verdict);
  std::string text = data.Json();
  for (size_t at = text.find("},{"); at != std::string::npos; at = text.find("},{", at + 2))
    text.insert(at + 2, "\n");
  return text + "\n";
}

std::string Matrix(const index::DumpIndex& index, const verdict::Verdict& /*verdict*/) {
  return exports::MatrixIssue(index, 17);
}

std::string WholePreorder(const index::DumpIndex& index, const verdict::Verdict& /*verdict*/) {
  return exports::PreorderReport(index);
}

std::string Block(const index::DumpIndex& index, const verdict::Verdict& /*verdict*/) {
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
  const std::string got = GetParam().render(index, rules::Judge(index));
  EXPECT_EQ(got, GetParam().render(index, rules::Judge(index))) << "not deterministic";
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
                                         GoldenCase{"anr.json", AnrDocument, render::Json},
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

TEST(Collapsed, CountsAddUp) {
  const model::Document document = AnrDocument();
  for (const auto unit :
       {exports::CollapsedUnit::kSamples, exports::CollapsedUnit::kMicroseconds}) {
    std::istringstream lines(exports::CollapsedStacks(document, std::nullopt, unit));
    uint64_t sum = 0;
    for (std::string line; std::getline(lines, line);)
      sum += std::stoull(line.substr(line.rfind(' ') + 1));
    uint64_t wanted = 0;
    for (const trace::TraceTree& tree : document.trees)
      for (const trace::Sample& sample : tree.samples())
        wanted += unit == exports::CollapsedUnit::kSamples ? 1 : sample.weight_us;
    EXPECT_EQ(sum, wanted);
  }
}

}  // namespace
}  // namespace stillframe::host_test
