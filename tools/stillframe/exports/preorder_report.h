// SPDX-License-Identifier: Apache-2.0
// A dump in the layout of the article that this profiler began with: past, present and future as
// lines of text, whose tokens lead to the trees at the end.
#pragma once

#include <string>

#include "tools/stillframe/index/dump_index.h"

namespace stillframe::exports {

// Four blocks, each with its heading:
//   history   a line per group of messages: `CLOCK>>>` (ms of CLOCK_MONOTONIC at its start), then
//             per slow message `TOKEN MESSAGE<WORK>WAIT;` and `COUNT+WORK` of all, in ms; a message
//             alone is `CLOCK>>>TOKEN MESSAGE<WORK>WAIT`. Idle and frozen stretches are
//             `CLOCK>>>idle<MS`. A dump without groups has a line per slow message.
//   running   a line in the form of a message alone, without an end
//   pending   per message `DUE>>>MESSAGE`, DUE in ms from the dump, negative is overdue
//   trees     per token `TOKEN:` and the tree in the article's preorder text
// Unknown times are "?". Texts are clean; `<`, `>` and `;` in names stay.
std::string PreorderReport(const index::DumpIndex& index);

}  // namespace stillframe::exports
