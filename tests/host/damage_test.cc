// SPDX-License-Identifier: Apache-2.0
// Dumps whose sections are missing, empty or half there, through all that is done with a dump.
#include "tests/host/damage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <set>
#include <sstream>

#include <stillframe/dump_format.h>

#include "src/dump/reader.h"
#include "tests/host/every_verb.h"
#include "tests/host/sample_documents.h"
#include "tests/host/verdict_case.h"
#include "tools/stillframe/input/clean_document.h"
#include "tools/stillframe/input/dump_time.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/render/json.h"
#include "tools/stillframe/render/page_data.h"
#include "tools/stillframe/render/text_report.h"

namespace stillframe::host_test {
namespace {

enum class Loss : uint8_t { kNone, kMissing, kEmpty, kHalf };
constexpr size_t kLosses = 4;

// The sections that a verdict uses; the others are only shown.
constexpr std::array kJudged = {dump::SectionKind::kTrigger, dump::SectionKind::kFrames,
                                dump::SectionKind::kHistory, dump::SectionKind::kRunning,
                                dump::SectionKind::kPending, dump::SectionKind::kTree,
                                dump::SectionKind::kRecords};

// Takes from all sections of `kind`.
void Lose(uint32_t kind, Loss loss, std::vector<Part>* parts) {
  if (loss == Loss::kMissing)
    std::erase_if(*parts, [kind](const Part& part) { return part.kind == kind; });
  for (Part& part : *parts) {
    if (part.kind != kind) continue;
    if (loss == Loss::kEmpty) part.payload.assign(8, 0);
    if (loss == Loss::kHalf) part.payload.resize(part.payload.size() / 2);
  }
}

// Runs what verbs do with a document, without files and command lines.
void UseAll(std::span<const uint8_t> bytes) {
  dump::ReadResult read = dump::ReadDump(bytes);
  ASSERT_TRUE(read.readable());
  input::CleanDocument(&read.document);
  const index::DumpIndex index(read.document);
  const judge::Verdict verdict = judge::Judge(index);
  EXPECT_FALSE(SentenceOf(verdict).empty());
  EXPECT_TRUE(!verdict.token || index.MessageOf(*verdict.token) != nullptr);
  EXPECT_FALSE(render::TextReport(index, verdict).empty());
  EXPECT_FALSE(render::Listing(index, verdict).empty());
  EXPECT_FALSE(render::Json(index, verdict).empty());
  render::PageData page("test");
  page.Add("anr.sfdump", index, verdict);
  EXPECT_FALSE(page.Json().empty());
}

TEST(Damage, EverySubsetOfWhatAVerdictIsMadeOf) {
  const std::vector<Part> whole = PartsOf(Written(AnrDocument()));
  size_t subsets = 1;
  for (size_t i = 0; i < kJudged.size(); ++i) subsets *= kLosses;
  for (size_t subset = 0; subset < subsets; ++subset) {
    std::vector<Part> parts = whole;
    for (size_t i = 0, left = subset; i < kJudged.size(); ++i, left /= kLosses)
      Lose(static_cast<uint32_t>(kJudged[i]), static_cast<Loss>(left % kLosses), &parts);
    SCOPED_TRACE(subset);
    ASSERT_NO_FATAL_FAILURE(UseAll(FileOf(parts)));
  }
}

TEST(Damage, EverySubsetOfMissingSections) {
  // Sections that no rule reads.
  const std::set<uint32_t> shown = {static_cast<uint32_t>(dump::SectionKind::kCounters),
                                    static_cast<uint32_t>(dump::SectionKind::kModules),
                                    static_cast<uint32_t>(dump::SectionKind::kGroups),
                                    static_cast<uint32_t>(dump::SectionKind::kJank),
                                    static_cast<uint32_t>(dump::SectionKind::kAnnotations),
                                    static_cast<uint32_t>(dump::SectionKind::kThreadTree)};
  const std::vector<Part> whole = PartsOf(Written(AnrDocument()));
  std::vector<uint32_t> kinds;
  for (uint32_t kind = 1; kind <= dump::kLastSectionKind; ++kind)
    if (!shown.contains(kind)) kinds.push_back(kind);
  for (uint32_t subset = 0; subset < 1U << kinds.size(); ++subset) {
    std::vector<Part> parts = whole;
    for (size_t i = 0; i < kinds.size(); ++i)
      if ((subset >> i & 1U) != 0) Lose(kinds[i], Loss::kMissing, &parts);
    const dump::ReadResult read = dump::ReadDump(FileOf(parts));
    ASSERT_TRUE(read.readable());
    const index::DumpIndex index(read.document);
    ASSERT_FALSE(SentenceOf(judge::Judge(index)).empty()) << subset;
  }
}

// The other tests would show little if the sample had nothing to lose.
TEST(Damage, TheSampleHasEverySection) {
  std::set<uint32_t> kinds;
  for (const Part& part : PartsOf(Written(AnrDocument()))) kinds.insert(part.kind);
  EXPECT_EQ(kinds.size(), size_t{dump::kLastSectionKind});
}

TEST(Damage, ADumpWithoutItsTimeEndsWithItsRunningMessage) {
  std::vector<Part> parts = PartsOf(Written(AnrDocument()));
  Lose(static_cast<uint32_t>(dump::SectionKind::kTrigger), Loss::kMissing, &parts);
  model::Document document = dump::ReadDump(FileOf(parts)).document;
  input::RestoreTime(&document);
  EXPECT_EQ(document.taken_monotonic_ns, AnrDocument().taken_monotonic_ns);
  EXPECT_NE(document.damage.back().find("the time of the dump is lost"), std::string::npos);
  EXPECT_EQ(judge::Judge(index::DumpIndex(document)).token, Token{17});
  // Without one, with the latest thing that ended; without any, at a time that is not known.
  document.taken_monotonic_ns = 0;
  document.running.reset();
  input::RestoreTime(&document);
  EXPECT_EQ(document.taken_monotonic_ns, AnrDocument().taken_monotonic_ns - 3'488'000'000);
  model::Document nothing;
  input::RestoreTime(&nothing);
  EXPECT_EQ(nothing.taken_monotonic_ns, 0U);
  EXPECT_TRUE(nothing.damage.empty());
}

TEST(Damage, EveryVerbTakesEveryPairOfLosses) {
  const Bytes dump = Written(AnrDocument());
  const std::vector<Part> whole = PartsOf(dump);
  EveryVerb verbs(dump);
  for (uint32_t first = 1; first <= dump::kLastSectionKind; ++first) {
    for (uint32_t second = first; second <= dump::kLastSectionKind; ++second) {
      const auto loss = static_cast<Loss>(1 + (first + second) % (kLosses - 1));
      std::vector<Part> parts = whole;
      Lose(first, loss, &parts);
      Lose(second, loss, &parts);
      verbs.SetDump(FileOf(parts));
      ASSERT_EQ(verbs.RunAll(), "") << first << ' ' << second;
    }
  }
}

TEST(Damage, EveryVerbTakesRandomDamage) {
  const std::array<Bytes, 2> dumps = {Written(AnrDocument()), Written(HostileDocument())};
  EveryVerb verbs(dumps[0]);
  for (uint64_t seed = 0; seed < 100; ++seed) {
    verbs.SetDump(Damaged(dumps[seed % dumps.size()], seed));
    ASSERT_EQ(verbs.RunAll(), "") << seed;
  }
}

// Those that take a dump; the others are listed here.
TEST(Damage, NoVerbAndNoFormatIsForgotten) {
  std::set<std::string> driven;
  {
    EveryVerb verbs(Written(QuietDocument()));
    for (size_t i = 0; i < verbs.count(); ++i) driven.insert(verbs.CommandLine(i));
  }
  const auto said = [](const char* command) {
    FILE* pipe = popen(command, "r");
    std::set<std::string> words;
    std::array<char, 100> line;
    while (pipe != nullptr && fgets(line.data(), line.size(), pipe) != nullptr)
      words.insert(std::string(line.data(), std::strcspn(line.data(), "\n")));
    if (pipe != nullptr) pclose(pipe);
    return words;
  };
  const auto is_driven = [&driven](const std::string& text) {
    return std::any_of(driven.begin(), driven.end(), [&text](const std::string& line) {
      return (line + " ").find(" " + text + " ") != std::string::npos;
    });
  };
  const std::set<std::string> no_dump = {"import", "live",  "record", "pull", "doctor",
                                         "cohort", "janks", "config", "store"};
  const auto verbs =
      said("'" STILLFRAME_TOOL "' --help | sed -n 's/^[a-z ]\\{9\\} \\([a-z]\\+\\) .*/\\1/p'");
  EXPECT_EQ(verbs.size(), 17U);
  for (const std::string& verb : verbs)
    EXPECT_TRUE(no_dump.contains(verb) || is_driven(verb)) << verb;
  const auto formats = said("'" STILLFRAME_TOOL
                            "' export x --format x 2>&1 | sed 's/.*{//; s/}.*//' | tr ',' '\\n'");
  EXPECT_EQ(formats.size(), 10U);
  for (const std::string& format : formats) EXPECT_TRUE(is_driven("--format " + format)) << format;
}

}  // namespace
}  // namespace stillframe::host_test
