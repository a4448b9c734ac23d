// SPDX-License-Identifier: Apache-2.0
// Everything in a dump as JSON. Its fields are those of src/dump/fields.h; dump.schema.json in this
// folder describes verdict, frames and trees. `frames` is indexed by frame id. A tree's `nodes` are
// in preorder, each [frame, depth, count, offset]; an outermost frame has depth 1. Its `samples`
// are [wall_us, weight_us, cpu_us, state]. The output is ASCII with clean texts. `partial`: the
// dump was truncated or damaged; `damage` says where.
#pragma once

#include <string>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::render {

std::string Json(const index::DumpIndex& index, const judge::Verdict& verdict);
// Its JSON Schema, draft 7.
std::string JsonSchema();

}  // namespace stillframe::render
