// SPDX-License-Identifier: Apache-2.0
// The JSON Schema of documents of settings, made from the device's own tables.
#pragma once

#include <string>

namespace stillframe::settings {

std::string DocumentSchema();

}  // namespace stillframe::settings
