// SPDX-License-Identifier: Apache-2.0
// The verdict on a dump.
#pragma once

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::rules {

// The verdict on a dump: the first rule that holds. The rules,
// in this order:
//   1. no Looper was watched: not enough data
//   2. the process did not run for half of the time in question: it was frozen
//   3. the front of the queue is a barrier, for longer than messages explain: leaked
//   4. the main thread was slow without computing, and the system reports pressure on memory
//   5. two thirds of the time of slow messages it was ready to run without a CPU: starved. With
//   less it had time to compute, and who computed is judged below
//   6. the running message holds half of the time that the latest message waits, or at least 1 s
//      and nobody waits: judged by its samples
//   7. most of the late messages are of one kind, and many: flooded
//   8. messages that ended hold a third of the waiting time, and more than the running one: earlier
//   9. the longest slow message, judged by its samples
//  10. a message waits for 1 s or more and none of this holds: not enough data
//  11. nothing slow
// The time in question is the time that the latest message of the queue has been due; if none is
// late, the longest message.
verdict::Verdict Judge(const index::DumpIndex& index);

}  // namespace stillframe::rules
