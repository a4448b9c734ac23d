// SPDX-License-Identifier: Apache-2.0
// The native part of stacks as text.
#pragma once

#include <string>
#include <vector>

#include "src/model/document.h"

namespace stillframe::render {

// One line a frame, innermost first, and one that says so where the outermost were not found; empty
// where there are none. The runtime's interpreter at the outer end is left out.
std::vector<std::string> NativeLines(const model::Document& document,
                                     const model::ThreadStack& stack);

// Of each thread with native frames these, then the managed frames that called them.
std::string NativeStacksText(const model::Document& document);

}  // namespace stillframe::render
