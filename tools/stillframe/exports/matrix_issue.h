// SPDX-License-Identifier: Apache-2.0
// One message as the issue that Matrix reports of an evil method.
#pragma once

#include <cstdint>
#include <string>

#include "tools/stillframe/index/dump_index.h"

namespace stillframe::exports {

// In JSON: fields of Issue and of
// SharePluginInfo (Tencent/matrix, matrix-trace-canary) as far as a dump knows them, `stack` being
// lines of `depth,id,count,ms`; and `methods`, which stands for Matrix's mapping of ids to names.
// `scene` is the one in which the dump was taken. The message must have a tree.
std::string MatrixIssue(const index::DumpIndex& index, uint64_t token);

}  // namespace stillframe::exports
