// SPDX-License-Identifier: Apache-2.0
// What dumps of one page are grouped by, and which of them are about one and the same message.
#pragma once

#include <nlohmann/json.hpp>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::render {

// Kind of verdict, frame to blame and message, the same for one bug in all versions of an
// application: without lines, and without the numbers that compilers give to lambdas. Matrix's key
// of the stack is there too.
nlohmann::ordered_json PageCluster(const index::DumpIndex& index, const verdict::Verdict& verdict);

// The same text in two dumps: the message to blame is the same one, of the same process. "" if none
// is blamed or the dump does not say which process it was.
std::string PageMessageKey(const index::DumpIndex& index, const verdict::Verdict& verdict);

}  // namespace stillframe::render
