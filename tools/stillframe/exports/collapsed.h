// SPDX-License-Identifier: Apache-2.0
// Text forms of trees that other tools read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "src/model/document.h"

namespace stillframe::exports {

// What the number at the end of a collapsed line counts.
enum class CollapsedUnit : uint8_t { kSamples, kMicroseconds };

// "frame;frame;frame count" lines, outermost frame first, sorted, equal stacks added up: the input
// of flamegraph.pl. A frame is "com.foo.Bar.baz". In it % ; CR LF and other control characters are
// written as %25 %3B %0D ...; bytes that are not ASCII stay. An empty stack is "[empty stack]". Of
// the tree with `token`, or of all trees.
std::string CollapsedStacks(const model::Document& document, std::optional<uint64_t> token,
                            CollapsedUnit unit);

}  // namespace stillframe::exports
