// SPDX-License-Identifier: Apache-2.0
// Foreign text in reports is cleaned; readable figures, markup.
#include "tools/stillframe/index/clean_text.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/host/sample_documents.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/input/clean_document.h"
#include "tools/stillframe/render/markup.h"

namespace stillframe {
namespace {

using host_test::AnrDocument;
using host_test::QuietDocument;
using index::CleanText;

TEST(CleanText, KeepsGoodText) {
  EXPECT_EQ(CleanText("com.foo.Größe$1 日本 🙂"), "com.foo.Größe$1 日本 🙂");
}

TEST(CleanText, ShowsWhatWouldHarm) {
  EXPECT_EQ(CleanText("a\x1b[31m\n\t\x7f"), "a\\x1B[31m\\x0A\\x09\\x7F");
  EXPECT_EQ(CleanText("a\xc2\x85"), "a\\x85");          // a C1 control
  EXPECT_EQ(CleanText("a\xe2\x80\xae"), "a\\u{202E}");  // right-to-left override
  EXPECT_EQ(CleanText(std::string_view("\0", 1)), "\\x00");
}

TEST(CleanText, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(CleanText("\xff"), "\\xFF");
  EXPECT_EQ(CleanText("\xc3"), "\\xC3");                             // truncated
  EXPECT_EQ(CleanText("\xc0\xaf"), "\\xC0\\xAF");                    // overlong
  EXPECT_EQ(CleanText("\xed\xa0\x80"), "\\xED\\xA0\\x80");           // a surrogate
  EXPECT_EQ(CleanText("\xf4\x90\x80\x80"), "\\xF4\\x90\\x80\\x80");  // beyond Unicode
}

TEST(CleanText, ShortensInTheMiddleByCharacters) {
  EXPECT_EQ(CleanText("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(CleanText("abcdefghijk", 7), "abc…ijk");
  EXPECT_EQ(CleanText("ääääääää", 3), "ä…ä");
  EXPECT_EQ(index::CharacterCount(CleanText(std::string(10'240, 'x'), 50)), 50U);
}

TEST(Figures, AreReadable) {
  EXPECT_EQ(index::Duration(2'940'000'000), "2,940 ms");
  EXPECT_EQ(index::Duration(3'449'000), "3.4 ms");
  EXPECT_EQ(index::Duration(9'960'000), "10 ms");
  EXPECT_EQ(index::Duration(-1), "?");
  EXPECT_EQ(index::Milliseconds(INT64_MIN), "-9,223,372,036,855");
  EXPECT_EQ(index::Duration(INT64_MAX), "9,223,372,036,855 ms");
  EXPECT_EQ(index::DurationUs(UINT64_MAX), "9,223,372,036,855 ms");
  EXPECT_EQ(index::Grouped(1'234'567), "1,234,567");
  EXPECT_EQ(index::Share(98, 100), "98%");
  EXPECT_EQ(index::Share(1, 1000), "< 1%");
  EXPECT_EQ(index::Share(1, 0), "0%");
}

// The digests are FIPS 180-4's own examples in base 64.
TEST(Markup, HashesAsBrowsersDo) {
  EXPECT_EQ(render::ContentHash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(render::ContentHash("abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  EXPECT_EQ(render::ContentHash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "sha256-JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=");
}

TEST(Markup, Escapes) {
  EXPECT_EQ(render::Escape("<a b=\"c\">'&"), "&lt;a b=&quot;c&quot;&gt;&#39;&amp;");
}

// Two frames with equal cleaned texts become one, and the sample keeps its stack.
TEST(CleanDocument, RenamesFramesAndKeepsTheSamples) {
  model::Document document = QuietDocument();
  const model::FrameId raw =
      document.frames.InternFrame("a.B", "x\xff", "", "", 1, model::FrameKind::kNterp);
  const model::FrameId written =
      document.frames.InternFrame("a.B", "x\\xFF", "", "", 1, model::FrameKind::kNterp);
  model::TraceTree tree(Token{1});
  for (const model::FrameId id : {raw, written}) {
    tree.Add(std::vector<model::FrameId>{id}, {.wall_us = 10'000,
                                               .weight_us = 10'000,
                                               .cpu_us = 0,
                                               .state = model::ThreadState::kRunnable});
  }
  document.trees.push_back(std::move(tree));
  document.signal_catcher.emplace();
  document.signal_catcher->text = "first\x1b[31m\nsecond\n";
  input::CleanDocument(&document);
  const model::TraceTree& cleaned = document.trees[0];
  EXPECT_EQ(cleaned.sample_count(), 2U);
  ASSERT_EQ(cleaned.nodes().size(), 2U);
  EXPECT_EQ(document.frames.MethodName(cleaned.nodes()[1].frame), "x\\xFF");
  EXPECT_EQ(cleaned.nodes()[1].count, 2U);
  EXPECT_EQ(document.signal_catcher->text, "first\\x1B[31m\nsecond\n");
}

TEST(CleanDocument, LeavesACleanDumpAsItIs) {
  model::Document document = AnrDocument();
  const uint32_t strings = document.frames.string_count();
  const void* const nodes = document.trees[0].nodes().data();
  input::CleanDocument(&document);
  EXPECT_EQ(document.frames.string_count(), strings);
  EXPECT_EQ(document.trees[0].nodes().data(), nodes);
}

}  // namespace
}  // namespace stillframe
