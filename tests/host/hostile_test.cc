// SPDX-License-Identifier: Apache-2.0
// Names that contain markup, control characters and other hostile text.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/host/sample_documents.h"
#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/input/clean_document.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/render/flame_svg.h"
#include "tools/stillframe/render/json.h"
#include "tools/stillframe/render/page_data.h"
#include "tools/stillframe/render/text_report.h"

namespace stillframe::host_test {
namespace {

size_t Count(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Nothing but printable UTF-8 and line feeds.
bool IsClean(const std::string& text) {
  std::string without_lines = text;
  without_lines.erase(std::remove(without_lines.begin(), without_lines.end(), '\n'),
                      without_lines.end());
  return index::CleanText(without_lines) == without_lines;
}

// Cleaned as the verbs do it.
model::Document HostileInput() {
  model::Document document = HostileDocument();
  input::CleanDocument(&document);
  return document;
}

// The script writes to text nodes only; names reach it as JSON in base64.
TEST(Hostile, NamesNeverBecomeMarkupInThePage) {
  const model::Document document = HostileInput();
  const index::DumpIndex index(document);
  const std::string page = PageOf(index);
  EXPECT_TRUE(IsClean(page));
  EXPECT_EQ(Count(page, "<script"), 2U);
  EXPECT_EQ(Count(page, "</script"), 2U);
  EXPECT_EQ(Count(page, "<style"), 1U);
  EXPECT_EQ(Count(page, "alert('x')"), 0U);
  EXPECT_GT(Count(page, "&lt;script&gt;alert(&#39;x&#39;)"), 0U);
  EXPECT_EQ(Count(page, "<!--"), 0U);
  EXPECT_LT(page.size(), 300'000U);
  render::PageData data("test");
  data.Add(index::CleanText("</script><b>\x01"), index, judge::Judge(index));
  EXPECT_TRUE(IsClean(data.Json()));
}

TEST(Hostile, NamesNeverBecomeMarkupInThePicture) {
  const model::Document document = HostileInput();
  const index::CallTree tree(document.frames, document.trees[0]);
  const std::string picture =
      render::FlameSvg(tree, {.title = index::CleanText("]]></script><b>\x01")});
  EXPECT_TRUE(IsClean(picture));
  EXPECT_EQ(Count(picture, "<script"), 1U);
  EXPECT_EQ(Count(picture, "]]>"), 1U);
  EXPECT_EQ(Count(picture, "<b>"), 0U);
  EXPECT_EQ(Count(picture, "<style"), 1U);
}

TEST(Hostile, NoTerminalSequencesInText) {
  const model::Document document = HostileInput();
  const index::DumpIndex index(document);
  const judge::Verdict verdict = judge::Judge(index);
  EXPECT_TRUE(IsClean(render::TextReport(index, verdict)));
  EXPECT_TRUE(IsClean(render::Listing(index, verdict)));
  EXPECT_TRUE(
      IsClean(render::Json(index, verdict)));  // escapes by JSON's own rules, so only line feeds
}

TEST(Hostile, TextStaysInItsColumns) {
  const model::Document document = HostileInput();
  const index::DumpIndex index(document);
  const std::string text = render::TextReport(index, judge::Judge(index));
  size_t lines = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    // A word longer than a line is not broken.
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    lines += line.find(std::string(60, 'L')) == std::string_view::npos &&
                     index::CharacterCount(line) > 170
                 ? 1U
                 : 0U;
    begin = end + 1;
  }
  EXPECT_EQ(lines, 0U);
}

TEST(Hostile, CollapsedLinesKeepTheirForm) {
  const model::Document document = HostileInput();
  const std::string lines =
      exports::CollapsedStacks(document, std::nullopt, exports::CollapsedUnit::kSamples);
  EXPECT_EQ(Count(lines, "\n"), 2U);
  EXPECT_EQ(Count(lines, ";"), 5U);  // six frames in one stack, none in the other
  EXPECT_NE(lines.find("a%3Bb c%25d.new\\x0Aline\\x1B[2J"), std::string::npos);
  EXPECT_EQ(Count(lines, "[empty stack] 1\n"), 1U);
}

}  // namespace
}  // namespace stillframe::host_test
