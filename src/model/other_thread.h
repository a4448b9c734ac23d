// SPDX-License-Identifier: Apache-2.0
// Another thread, followed while the main thread waited in a long message.
#pragma once

#include <cstdint>
#include <string>

#include <stillframe/enum_table.h>
#include <stillframe/token.h>

namespace stillframe::model {

// Why it was followed. Part of the dump format: never renumber.
enum class ThreadRole : uint8_t {
  kUnknown = 0,
  kEndsTheWait = 1,  // the main thread waited for it: it held the lock, or ran the task
  kEndsItsWait = 2,  // a thread of kEndsTheWait waited for it
  kUsedCpu = 3,      // among the threads that used most CPU
};

struct OtherThread {
  Token during = Token::kNone;  // the main thread's message
  Token tree = Token::kNone;    // of the tree with its stacks; kNone: there is none, see `absent`
  uint32_t tid = 0;
  std::string name;
  ThreadRole role = ThreadRole::kUnknown;  // the first in their order, if there were several
  uint32_t from_us = 0;                    // since the message's start: first look
  uint32_t until_us = 0;                   // last look
  uint32_t followed_us = 0;  // time that the looks stand for, at most until_us - from_us
  uint32_t cpu_us = 0;       // that it used between the first and the last look
  uint32_t looks = 0;        // with a stack
  uint32_t missed = 0;       // looks without one
  std::string absent;        // why looks have no stack; "": no reason is known
};

}  // namespace stillframe::model

namespace stillframe {

template <>
inline constexpr EnumTable<model::ThreadRole, 4> kTableOf<model::ThreadRole> = {
    model::ThreadRole::kUnknown,
    {{"unknown"},
     {"ends-the-wait", "main waited for it"},
     {"ends-its-wait", "that thread waited for it"},
     {"used-cpu", "used the CPU"}}};

}  // namespace stillframe
