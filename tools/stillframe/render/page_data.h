// SPDX-License-Identifier: Apache-2.0
// The report page's data as JSON. Its types are in tools/page/src/data.ts.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/verdict.h"
#include "tools/stillframe/render/page_rows.h"
#include "tools/stillframe/words/wording.h"

namespace stillframe::render {

// Takes dumps one by one and keeps only what the page needs, so that memory grows with the page,
// not with the dumps. Texts are clean; all dumps share strings and methods. All dumps are listed.
// Beyond kMostWhole dumps, only the costliest examples of each cause are whole.
class PageData {
 public:
  static constexpr size_t kExamples = 3;
  static constexpr size_t kMostWhole = 1'000;

  // `source_url` has {file} and may have {line}; "": none.
  explicit PageData(std::string_view tool_version, size_t examples = kExamples,
                    std::string_view source_url = "");

  void Add(std::string_view name, const index::DumpIndex& index, const judge::Verdict& verdict);

  // UTF-8.
  std::string Json() const;

  size_t dumps() const { return rows_.size(); }

  // The first dump's texts, for the title and for readers without scripts.
  struct First {
    std::string title;
    words::Words words;
    bool is_partial = false;
  };
  const First& first() const { return first_; }
  // For each cause with an example: the number of its dumps, and the headline of the costliest.
  std::vector<std::pair<size_t, std::string_view>> Causes() const;

 private:
  struct Row {
    std::array<uint32_t, PageRow::kTextNames.size()> texts;
    uint64_t taken;
    int64_t cost;
    bool is_copy = false;  // the same message as in an earlier row
  };
  // JSON. The trees are list elements, each followed by a comma.
  struct Whole {
    std::string dump;
    std::string trees;
  };
  struct Cause {
    size_t dumps = 0;
    std::set<uint32_t> messages;
    std::vector<uint32_t> whole;  // rows of whole dumps: costliest first, copies last
  };

  uint32_t StringIndex(std::string text);
  uint32_t FrameIndex(const index::DumpIndex& index, model::FrameId id);
  void AddTree(const index::DumpIndex& index, const model::TraceTree& tree, std::string* out);
  void Forget(Cause* cause);
  void KeepExamples(Cause* cause);
  bool IsWhole(Cause* cause, uint32_t row);

  std::string tool_version_;
  size_t examples_;
  std::string source_url_;
  First first_;
  std::vector<Row> rows_;
  std::map<uint32_t, Whole> whole_;  // by row
  std::map<std::array<uint32_t, 3>, Cause> causes_;
  std::map<std::string, uint32_t, std::less<>> strings_;
  std::vector<const std::string*> strings_in_order_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>, uint32_t> method_ids_;
  std::map<std::pair<uint32_t, int32_t>, uint32_t> frame_ids_;
  // The page's frame plus one, by FrameId of the current dump.
  std::vector<uint32_t> frames_of_dump_;
};

}  // namespace stillframe::render
