// SPDX-License-Identifier: Apache-2.0
// What the system's messages to an application are called.
#pragma once

#include <cstdint>
#include <string_view>

#include "src/model/document.h"

namespace stillframe::index {

// "CREATE_SERVICE" for 114; "" for a code that none of AOSP 8 to 16 has.
std::string_view SystemMessageName(int32_t what);

// Names the messages of android.app.ActivityThread$H that the dump leaves without.
void NameSystemMessages(model::Document* document);

}  // namespace stillframe::index
