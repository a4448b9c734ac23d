// SPDX-License-Identifier: Apache-2.0
// Names and texts inside HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace stillframe::render {

// Escapes & < > " ' for text and attributes. `text` must be clean.
std::string Escape(std::string_view text);

std::string Base64(std::string_view bytes);

// "sha256-..." for a Content-Security-Policy.
std::string ContentHash(std::string_view text);

}  // namespace stillframe::render
