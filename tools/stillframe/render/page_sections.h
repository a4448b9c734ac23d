// SPDX-License-Identifier: Apache-2.0
// The page's data outside the dump's fields, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "src/model/document.h"

namespace stillframe::render {

// [title, rows] for each group of the context, including the annotations.
nlohmann::ordered_json PageContext(const model::Document& document);

// Threads with equal stacks are grouped. Null if the dump has no thread stacks.
nlohmann::ordered_json PageStacks(const model::Document& document);

}  // namespace stillframe::render
