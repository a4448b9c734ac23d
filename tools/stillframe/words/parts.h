// SPDX-License-Identifier: Apache-2.0
// The texts that replace a form's names in braces.
#pragma once

#include "tools/stillframe/judge/verdict.h"
#include "tools/stillframe/words/filled_text.h"
#include "tools/stillframe/words/forms.h"

namespace stillframe::words {

Args PartsOf(const judge::Verdict& verdict, const Subject& subject);

}  // namespace stillframe::words
