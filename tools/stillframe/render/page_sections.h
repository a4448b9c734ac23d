// SPDX-License-Identifier: Apache-2.0
// What the page shows of a dump beside its fields, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "src/model/document.h"

namespace stillframe::render {

// [title, rows] for each group of the context, the annotations among them.
nlohmann::ordered_json PageContext(const model::Document& document);

// Null when the dump has no stacks of threads; threads of one stack are together.
nlohmann::ordered_json PageStacks(const model::Document& document);

}  // namespace stillframe::render
