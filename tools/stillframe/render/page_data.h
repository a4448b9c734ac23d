// SPDX-License-Identifier: Apache-2.0
// What the report page shows, as JSON: the types are in tools/page/src/data.ts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::render {

// Takes dumps one after another and keeps only what the page needs of them, so that many dumps need
// no more memory than their page. Texts are clean; strings and methods are shared by all dumps.
class PageData {
 public:
  explicit PageData(std::string_view tool_version);

  void Add(std::string_view name, const index::DumpIndex& index, const verdict::Verdict& verdict);

  // UTF-8.
  std::string Json() const;

  // For the title and the part of the page that needs no script: the process, and the words of each
  // dump's verdict.
  struct Headline {
    std::string title;  // of its page
    std::string headline;
    std::string sentence;
    std::string next_step;
    std::vector<std::string> evidence;
    bool is_partial;
  };
  const std::vector<Headline>& headlines() const { return headlines_; }

 private:
  uint32_t StringIndex(std::string text);
  uint32_t FrameIndex(const index::DumpIndex& index, trace::FrameId id);
  void AddTree(const index::DumpIndex& index, const trace::TraceTree& tree);

  std::string tool_version_;
  std::vector<Headline> headlines_;
  std::map<std::string, uint32_t, std::less<>> strings_;
  std::vector<const std::string*> strings_in_order_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>, uint32_t> method_ids_;
  std::map<std::pair<uint32_t, int32_t>, uint32_t> frame_ids_;
  // Of the dump at hand: by FrameId, the frame of the page plus one.
  std::vector<uint32_t> frames_of_dump_;
  // Lists of JSON, each with a comma after every element.
  std::string dumps_;
  std::string trees_;
};

}  // namespace stillframe::render
