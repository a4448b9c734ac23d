// SPDX-License-Identifier: Apache-2.0
// Who held the monitors that a message was blocked on, as a part of its sentence.
#pragma once

#include <string>
#include <vector>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/rules/message_parts.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::rules {

// As far as anybody knows: "a monitor", "a monitor that thread db-writer (tid 4720) holds,", or
// "monitors that" several held, each with its time, "who holds one at the dump" beside one.
// `holders` are the message's parts of time blocked, `at_dump` is for whom the main thread waited
// then. Adds the threads' names, and what the Signal Catcher says of the owner.
std::string HolderText(const index::DumpIndex& index, const model::Message& message,
                       const std::vector<MessagePart>& holders, const verdict::WaitChain& at_dump,
                       verdict::Verdict* verdict);

}  // namespace stillframe::rules
