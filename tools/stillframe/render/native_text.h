// SPDX-License-Identifier: Apache-2.0
// The native part of stacks as text.
#pragma once

#include <string>
#include <vector>

#include "src/model/document.h"

namespace stillframe::render {

// One line a frame, innermost first. A last line says if outermost frames were not found. Empty
// without frames. Omits the runtime's interpreter at the outer end.
std::vector<std::string> NativeLines(const model::Document& document,
                                     const model::ThreadStack& stack);

// For each thread with native frames: these, then the managed frames that called them.
std::string NativeStacksText(const model::Document& document);

}  // namespace stillframe::render
