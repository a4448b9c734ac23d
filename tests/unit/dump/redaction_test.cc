// SPDX-License-Identifier: Apache-2.0
// The texts that each word of STILLFRAME_OMIT removes from a full dump, and those it keeps.
#include "src/dump/redaction.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "src/model/context_names.h"
#include "tests/unit/dump/field_paths.h"
#include "tests/unit/dump/sample_document.h"

namespace stillframe::dump {
namespace {

using settings::Omissions;
using settings::Part;

model::Document Everything() {
  model::Document document = SampleDocument(1);
  document.context.push_back({std::string(model::context::kProcess), "package",
                              model::ContextEntry::State::kText, "secret.application", 0});
  document.configuration.push_back({"dump_dir", "/data/secret.folder"});
  document.configuration.push_back({"config", "/data/secret.file"});
  document.configuration.push_back({"loopers", "secret.looper"});
  document.pending[0].component = "SYNC to com.example/.Pending";
  document.pending[0].object = {4'711, 4'712, "secret.Order", "secret order"};
  return document;
}

std::string TextOf(const model::Document& document) {
  std::string text;
  for (const std::string& piece : Pieces(document)) text += piece + "\n";
  return text;
}

std::string Redacted(const Omissions& omit) {
  model::Document document = Everything();
  document.trees.clear();  // the caller's
  Redact(omit, &document);
  return TextOf(document);
}

// Texts of the sample document that belong to each part.
const std::map<Part, std::vector<std::string>> kTexts = {
    {Part::kMessages,
     {"com.example.Checkout$PayHandler", "com.example.-$$Lambda$", "a.B", "EXIT_APPLICATION",
      "/.Pending", "4711 4712", "secret.Order", "secret order"}},
    {Part::kQueue, {"-12000 159", "9223372036854775807 -2147483648"}},
    {Part::kThreads, {"worker <b>", "4720 \x01", "secret.looper"}},
    {Part::kContext, {"Pixel; <i>", "rss_bytes", "secret.application"}},
    {Part::kAnnotations, {"CheckoutActivity", "battery", "Checkout 2000"}},
    {Part::kReason, {"cmp=com.example/.Sync", "com.example/.Main"}},
    {Part::kProcess,
     {"com.example.shop", "10123", "secret.application", "secret.folder", "secret.file"}},
};

TEST(Redaction, TakesOutWhatIsNamedAndNothingElse) {
  const std::string whole = Redacted({});
  for (const auto& [part, texts] : kTexts) {
    Omissions omit;
    omit.Add(part);
    const std::string left = Redacted(omit);
    for (const auto& [other, others] : kTexts) {
      for (const std::string& text : others) {
        EXPECT_NE(whole.find(text), std::string::npos) << text;
        const auto& own = kTexts.at(part);
        const bool is_own = std::find(own.begin(), own.end(), text) != own.end();
        // The queue contains class names too.
        const bool is_in_queue = part == Part::kQueue && other == Part::kMessages;
        if (is_own)
          EXPECT_EQ(left.find(text), std::string::npos) << omit.Words() << " leaves " << text;
        else if (!is_in_queue && !(part == Part::kMessages && other == Part::kQueue))
          EXPECT_NE(left.find(text), std::string::npos) << omit.Words() << " takes " << text;
      }
    }
  }
}

TEST(Redaction, AllOfItLeavesNoNameThatIsNotOurs) {
  Omissions omit;
  for (int part = 0; part < static_cast<int>(Part::kCount); ++part)
    omit.Add(static_cast<Part>(part));
  const std::string left = Redacted(omit);
  for (const auto& [part, texts] : kTexts)
    for (const std::string& text : texts) EXPECT_EQ(left.find(text), std::string::npos) << text;
  EXPECT_EQ(left.find("example"), std::string::npos) << left;
  EXPECT_NE(left.find("left out by STILLFRAME_OMIT"), std::string::npos);
}

TEST(Redaction, MarksNoMessageWithATreeThatIsNotWritten) {
  model::Document document = Everything();
  document.history[0].flags |= model::kMessageHasTree;
  Omissions omit;
  omit.Add(Part::kStacks);
  Redact(omit, &document);
  EXPECT_EQ(document.history[0].flags & model::kMessageHasTree, 0U);
}

// Rules that a row cannot express have a note, and are tested above.
TEST(Redaction, EachTextGoesByEachWordThatClaimsIt) {
  uint32_t claimed = 0;
  for (const bool are_segments : {false, true}) {
    for (uint32_t word = 0; word < static_cast<uint32_t>(Part::kCount); ++word) {
      model::Document document;
      FillTexts(are_segments, &document);
      std::vector<FieldPath> paths;
      WalkPaths(false, &document, [&](const FieldPath& path, auto& field) {
        if constexpr (std::is_same_v<decltype(field), std::string&>) paths.push_back(path);
      });
      Omissions omit;
      omit.Add(static_cast<Part>(word));
      Redact(omit, &document);
      std::set<std::string> left;
      WalkPaths(false, &document, [&](const FieldPath&, auto& field) {
        if constexpr (std::is_same_v<decltype(field), std::string&>) left.insert(field);
      });
      for (const FieldPath& path : paths) {
        uint32_t words = path.omit | path.row.says_omission;
        if (are_segments) words |= path.row.omit_of_segments;
        const bool is_claimed = (words >> word & 1U) != 0;
        claimed += is_claimed ? 1 : 0;
        if (is_claimed || path.row.note == nullptr) {
          EXPECT_EQ(left.contains("text of " + path.path), !is_claimed)
              << path.path << ", " << omit.Words();
        }
      }
    }
  }
  EXPECT_GT(claimed, 100U);
}

}  // namespace
}  // namespace stillframe::dump
