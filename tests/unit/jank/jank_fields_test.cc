// SPDX-License-Identifier: Apache-2.0
// Members of records by the rows of src/dump/jank_record.h: which are present, and which are not.
#include <algorithm>
#include <set>

#include "tests/unit/jank/jank_store_case.h"
#include "tests/unit/jank/record_rows.h"

namespace stillframe::jank {
namespace {

class JankFieldsTest : public JankStoreTest {
 protected:
  enum class Kind { kMessage, kSegment, kFrame };

  // The names of a record with all that such a jank may have, in their order.
  std::vector<std::string> NamesOf(Kind kind, bool is_watched = false) {
    config_.cohort = "janks";
    const std::string trouble = "the tap is gone";
    JankStore store;
    store.Start({.config = &config_,
                 .names = &names_,
                 .annotations = &annotations_,
                 .trouble = is_watched ? nullptr : &trouble,
                 .identity = &identity_,
                 .writer = &writer_});
    if (is_watched) store.SetSampling("on, but slower");
    tap::EndedMessage ended = {};
    ended.work_ns = 900 * kNsPerMs;
    history::MessageFacts facts;
    facts.runqueue_wait_ns = facts.blocked_ns = 0;
    facts.stage = model::FrameStage::kTraversal;
    if (kind == Kind::kSegment) facts.segment = model::SegmentKind::kIdleHandler;
    model::TraceTree tree(Token{7});
    tree.Add(std::vector{Frame("run")}, {50'000, 900'000, 0, model::ThreadState::kRunnable});
    const history::JankThread thread = {is_watched ? "worker" : nullptr, 12};
    JankStore::OnJank(&store,
                      {ended, facts, &tree, past_, kind == Kind::kFrame, 1, nullptr, thread});
    store.Serve(kSecondNs);
    std::vector<std::string> names;
    const auto files = Files();
    for (const auto& entry : fs::directory_iterator(folder_)) fs::remove(entry.path());
    EXPECT_EQ(files.size(), 1U);
    const auto record = nlohmann::ordered_json::parse(files.at(0));
    for (const auto& [name, value] : record.items()) names.push_back(name);
    return names;
  }

  const dump::RecordRows record_rows_;
};

TEST_F(JankFieldsTest, EachRowIsInARecordInItsPlace) {
  std::set<std::string> all;
  for (const Kind kind : {Kind::kMessage, Kind::kSegment, Kind::kFrame})
    for (const bool is_watched : {false, true}) {
      const auto names = NamesOf(kind, is_watched);
      all.insert(names.begin(), names.end());
      auto place = names.begin();
      for (const auto& [row, type] : record_rows_.rows)
        if (place != names.end() && *place == row.name) ++place;
      EXPECT_EQ(place, names.end()) << *place;
    }
  // These belong to hangs that were on disk while they ran, and to exits.
  const std::set<std::string_view> running = {"running", "ended", "debugged", "exit",
                                              "system_traces"};
  for (const auto& [row, type] : record_rows_.rows)
    EXPECT_EQ(all.erase(row.name), running.contains(row.name) ? 0U : 1U) << row.name;
  EXPECT_TRUE(all.empty()) << *all.begin();
}

TEST_F(JankFieldsTest, EachWordOfOmitLeavesOutWhatItsRowsSayAndNothingElse) {
  for (const Kind kind : {Kind::kMessage, Kind::kSegment, Kind::kFrame}) {
    config_.omit = {};
    const auto all = NamesOf(kind);
    for (uint32_t i = 0; i < static_cast<uint32_t>(settings::Part::kCount); ++i) {
      const auto part = static_cast<settings::Part>(i);
      config_.omit = {};
      config_.omit.Add(part);
      std::vector<std::string> expected = all;
      for (const auto& [row, type] : record_rows_.rows) {
        const bool is_omitted =
            (row.omit & model::BitOf(part)) != 0 ||
            (kind == Kind::kSegment && (row.omit_of_segments & model::BitOf(part)) != 0);
        if (is_omitted) std::erase(expected, row.name);
      }
      EXPECT_EQ(NamesOf(kind), expected) << config_.omit.Words();
    }
  }
}

// Matrix's own readers begin with these.
TEST_F(JankFieldsTest, TheFirstAreThoseOfMatrix) {
  auto names = NamesOf(Kind::kMessage);
  names.resize(11);
  EXPECT_EQ(names, (std::vector<std::string>{"tag", "process", "time", "detail", "cost", "usage",
                                             "scene", "processPriority", "processNice",
                                             "isProcessForeground", "machine"}));
}

}  // namespace
}  // namespace stillframe::jank
