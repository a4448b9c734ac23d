// SPDX-License-Identifier: Apache-2.0
// The report page: one self-contained file with the bundle of tools/page and the data.
#pragma once

#include <string>

#include "tools/stillframe/render/page_data.h"

namespace stillframe::render {

// `data` must have at least one dump.
std::string HtmlReport(const PageData& data);

}  // namespace stillframe::render
