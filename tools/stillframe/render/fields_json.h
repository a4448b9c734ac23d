// SPDX-License-Identifier: Apache-2.0
// A dump and its verdict as JSON, and its schema, from the rows of src/dump/fields.h and
// verdict_fields.h. `inspect --json` writes everything; the report page is limited by Room.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::render {

// Limits of the page's data.
struct Room {
  static constexpr size_t kText = 1'000;  // characters
  static constexpr size_t kLines = 400'000;
  static constexpr size_t kRows = 20'000;  // the first rows of queue and threads, else the newest
  // Lists of at least this length are stored as columns: {"#": rows, "name": [...], ...}.
  static constexpr size_t kColumns = 4;
};

// Adds verdict and fields. Unknown times are null. A message also has its flags by name, and a text
// for people. For the page, `left_out` is not null: data beyond Room is omitted, and `left_out`
// gets the number of omitted rows for each list.
void AddFields(const index::DumpIndex& index, const judge::Verdict& verdict,
               nlohmann::ordered_json* json, nlohmann::ordered_json* left_out);

// For the page: messages that are in no section.
nlohmann::ordered_json MessagesForPage(const index::DumpIndex& index,
                                       const std::vector<model::Message>& messages);

// Adds the schema (draft 7) of both to `schema`, which already has properties and definitions. The
// schema of src/dump/jank_record.h becomes definitions.jank_record; it requires the members that
// every record has.
void AddFieldSchema(nlohmann::ordered_json* schema);

}  // namespace stillframe::render
