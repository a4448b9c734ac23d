// SPDX-License-Identifier: Apache-2.0
// Which words suit a verdict.
#pragma once

#include <string>

#include "tools/stillframe/judge/verdict.h"
#include "tools/stillframe/words/filled_text.h"

namespace stillframe::words {

// The subject of headline and next step, by cause.
struct Subject {
  judge::Cause cause;
  const judge::Culprit* place;  // may be null
  std::string who;              // "the main thread"
};

Subject SubjectOf(const judge::Verdict& verdict);

Form FormOf(const judge::Verdict& verdict, const Subject& subject);

}  // namespace stillframe::words
