// SPDX-License-Identifier: Apache-2.0
// The sentence: a form's text, its share of the time in question, and other contributors.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tools/stillframe/judge/verdict.h"

namespace stillframe::words {

constexpr size_t kMostWords = 40;

size_t WordsOf(std::string_view text);

// Adds share and others to the text, as far as they fit.
std::string Sentence(const judge::Verdict& verdict, std::string text);

// "libapm.so", which installed its own handler over the sampler's. "": not known.
std::string TakerOfSignals(const judge::Verdict& verdict);

}  // namespace stillframe::words
