// SPDX-License-Identifier: Apache-2.0
// A verdict in English.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/stillframe/judge/verdict.h"

namespace stillframe::words {

// All texts are clean.
struct Words {
  // At most 80 characters. Method or thread and time are whole; a long class name is cut in its
  // middle.
  std::string headline;
  std::string sentence;               // at most 40 words; shares are of the time in question
  std::string next_step;              // what to do about it
  std::string confidence;             // "high: 400 samples, 97% of the time explained"
  std::vector<std::string> evidence;  // one sentence each
};

Words Explain(const judge::Verdict& verdict);

}  // namespace stillframe::words
