// SPDX-License-Identifier: Apache-2.0
// The report page: one file that needs nothing else, made of the bundle of tools/page and the data.
#pragma once

#include <string>

#include "tools/stillframe/render/page_data.h"

namespace stillframe::render {

// The dumps in `data` are at least one.
std::string HtmlReport(const PageData& data);

}  // namespace stillframe::render
