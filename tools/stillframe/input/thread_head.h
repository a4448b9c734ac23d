// SPDX-License-Identifier: Apache-2.0
// The first line of a thread's block in traces, and the state that it names.
#pragma once

#include <cstdint>
#include <string_view>

#include "src/model/thread_stacks.h"

namespace stillframe::input {

// `"db-writer" daemon prio=5 tid=12 Waiting`, or `"db-writer" sysTid=4350` without a runtime. Other
// tools have heads without numbers: "db-writer (waiting):", "db-writer (state = WAITING)".
struct ThreadHead {
  std::string_view name;
  uint32_t number = 0;   // the runtime's own; 0: none
  uint32_t sys_tid = 0;  // in the head itself; 0: none
  std::string_view state;
  std::string_view wait = {};  // "waiting to lock <0x1> (a a.B) held by thread 12"
};
bool ParseThreadHead(std::string_view line, ThreadHead* head);

// The state that a head names, in the words of any runtime or tool. kUnknown: an empty word;
// kOther: one that is not known.
model::ThreadState StateOfWord(std::string_view text);

}  // namespace stillframe::input
