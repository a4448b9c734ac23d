// SPDX-License-Identifier: Apache-2.0
// A dump's fields as JSON, and the schema of that: what src/dump/fields.h describes, under its
// names.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/stillframe/index/dump_index.h"

namespace stillframe::render {

// Adds the members that fields.h describes. A time that is not known is null; a message also says
// its flags by name, and how a person would call it.
void AddFields(const index::DumpIndex& index, nlohmann::ordered_json* json);

// Adds their schema (draft 7) to `schema`, whose properties and definitions are there; and as
// definitions.jank_record that of src/dump/jank_record.h, where only what is always there is
// required.
void AddFieldSchema(nlohmann::ordered_json* schema);

}  // namespace stillframe::render
