// SPDX-License-Identifier: Apache-2.0
// The cause of a hang in names, and which causes are one.
#pragma once

#include <string>

namespace stillframe::fleet {

// The cause of a hang by the judge. Texts are clean names.
struct CauseNames {
  std::string kind = {};     // of the verdict; "": the record has no facts
  std::string method = {};   // the application's; "": none
  std::string caller = {};   // that called it; "": none
  std::string leaf = {};     // its hot callee, or itself
  std::string message = {};  // target and callback, or the segment
};

// Equal for hangs of one cause, in all releases. `method` is that of `names`, or the caller's to
// find a build that inlined the method into it. A method that computes, reads files, collects
// garbage and lacks a CPU by turns is one cause.
std::string CauseKey(const CauseNames& names, const std::string& method);

// A build may inline the method into its caller, which is then named instead. The same leaf, or
// none in both, tells this from other work of the caller.
bool IsInlinedInto(const CauseNames& callee, const CauseNames& caller);

}  // namespace stillframe::fleet
