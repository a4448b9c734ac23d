// SPDX-License-Identifier: Apache-2.0
// A dump and its verdict as JSON, by the rows of src/dump/fields.h and verdict_fields.h, and the
// schema of that. `inspect --json` takes all, the report page as much as it has room for.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::render {

// Limits of what the page gets.
struct Room {
  static constexpr size_t kText = 1'000;  // characters
  static constexpr size_t kLines = 400'000;
  static constexpr size_t kRows = 20'000;  // the first of queue and threads, else the newest
  // From so many on a list is columns: {"#": rows, "name": [...], ...}.
  static constexpr size_t kColumns = 4;
};

// Adds verdict and fields. An unknown time is null. A message also has its flags by name, and a
// text for people. For the page `left_out` is not null: what exceeds Room is left out, and
// `left_out` gets the number of rows for each list.
void AddFields(const index::DumpIndex& index, const judge::Verdict& verdict,
               nlohmann::ordered_json* json, nlohmann::ordered_json* left_out);

// Of messages that no section has, as the page takes them.
nlohmann::ordered_json MessagesForPage(const index::DumpIndex& index,
                                       const std::vector<model::Message>& messages);

// Adds their schema (draft 7) to `schema`, which has properties and definitions already. The schema
// of src/dump/jank_record.h becomes definitions.jank_record; it requires the members that every
// record has.
void AddFieldSchema(nlohmann::ordered_json* schema);

}  // namespace stillframe::render
