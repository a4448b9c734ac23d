// SPDX-License-Identifier: Apache-2.0
// Janks as a table for people.
#pragma once

#include <cstddef>
#include <string>

#include "tools/stillframe/janks/jank_records.h"

namespace stillframe::janks {

// At most `rows` of them; the rest is said to be there.
std::string JankText(const JankRecords& records, size_t rows);

}  // namespace stillframe::janks
