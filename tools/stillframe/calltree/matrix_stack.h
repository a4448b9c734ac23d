// SPDX-License-Identifier: Apache-2.0
// The methods of one message as a list in the form of Matrix's evil methods, and the entry that
// stands for them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/stillframe/calltree/call_tree.h"

namespace stillframe::calltree {

struct MatrixEntry {
  uint32_t depth;  // 0 is an outermost method
  uint32_t id;     // see MatrixMethodId
  uint32_t count;  // samples: how often it was called is not known
  uint64_t ms;
  MethodId method;
};

// Methods in the order of their first samples, trimmed to at most `most` entries as Matrix does it:
// rounds from the last entry to the first drop what took less than 5 ms, then less than 10 ms, up
// to 300 ms, until no more than `most` are left; if that is not enough, the rest is left out.
std::vector<MatrixEntry> MatrixStack(const CallTree& tree, size_t most = 30);

// The entry that marks the stack, as Matrix finds it: of those with more than 30 % of the whole
// time the one with the largest product of depth + 1 and time; null without entries.
const MatrixEntry* MatrixKeyEntry(const std::vector<MatrixEntry>& stack, uint64_t whole_ms);

// "ID|" of that entry, "" without entries.
std::string MatrixStackKey(const std::vector<MatrixEntry>& stack, uint64_t whole_ms);

// Of "class.method": the same in all dumps, since there is no build plug-in here that numbers them.
uint32_t MatrixMethodId(const CallTree& tree, MethodId method);

}  // namespace stillframe::calltree
