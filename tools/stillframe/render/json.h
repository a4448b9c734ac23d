// SPDX-License-Identifier: Apache-2.0
// Everything in a dump as JSON. Its fields are those of src/dump/fields.h; dump.schema.json beside
// this file describes the rest: verdict, frames, trees. `frames` is an array indexed by frame id; a
// tree's `nodes` are in preorder, each [frame, depth, count, offset] with depth 1 for an outermost
// frame, and its `samples` are [wall_us, weight_us, cpu_us, state]. The output is ASCII; texts are
// clean text. `partial` is true when the dump was truncated or damaged, and `damage` says where.
#pragma once

#include <string>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::render {

std::string Json(const index::DumpIndex& index, const judge::Verdict& verdict);
// Its JSON Schema, draft 7.
std::string JsonSchema();

}  // namespace stillframe::render
