// Messages in the form of Matrix's evil methods.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/stillframe/calltree/call_tree.h"
#include "tools/stillframe/index/dump_index.h"

namespace stillframe::render {

struct MatrixEntry {
  uint32_t depth;  // 0 is an outermost method
  uint32_t id;     // see MatrixMethodId
  uint32_t count;  // samples: how often it was called is not known
  uint64_t ms;
  calltree::MethodId method;
};

// Methods in the order of their first samples, trimmed to at most `most` entries as Matrix does it:
// rounds from the last entry to the first drop what took less than 5 ms, then less than 10 ms, up
// to 300 ms, until no more than `most` are left; if that is not enough, the rest is cut off.
std::vector<MatrixEntry> MatrixStack(const calltree::CallTree& tree, size_t most = 30);

// The entry that marks the stack, as Matrix finds it: of those with more than 30 % of the whole
// time the one with the largest product of depth + 1 and time; null without entries.
const MatrixEntry* MatrixKeyEntry(const std::vector<MatrixEntry>& stack, uint64_t whole_ms);

// "ID|" of that entry, "" without entries.
std::string MatrixStackKey(const std::vector<MatrixEntry>& stack, uint64_t whole_ms);

// Of "class.method": the same in all dumps, since there is no build plug-in here that numbers them.
uint32_t MatrixMethodId(const calltree::CallTree& tree, calltree::MethodId method);

// One message as the issue that Matrix reports of an evil method, in JSON: fields of Issue and of
// SharePluginInfo (Tencent/matrix, matrix-trace-canary) as far as a dump knows them, `stack` being
// lines of `depth,id,count,ms`; and `methods`, which stands for Matrix's mapping of ids to names.
// `scene` is the one in which the dump was taken. The message must have a tree.
std::string MatrixIssue(const index::DumpIndex& index, uint64_t token);

}  // namespace stillframe::render
