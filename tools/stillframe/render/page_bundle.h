// SPDX-License-Identifier: Apache-2.0
// Script and style of the report page, as tools/page/build made them.
#pragma once

#include <string_view>

namespace stillframe::render {

std::string_view PageScript();
std::string_view PageStyle();

}  // namespace stillframe::render
