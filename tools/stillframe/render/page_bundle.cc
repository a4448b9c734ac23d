// SPDX-License-Identifier: Apache-2.0
// The bytes that page_bundle.S embeds.
#include "tools/stillframe/render/page_bundle.h"

// Of page_bundle.S.
extern "C" const char stillframe_page_script[];
extern "C" const char stillframe_page_script_end[];
extern "C" const char stillframe_page_style[];
extern "C" const char stillframe_page_style_end[];

namespace stillframe::render {

std::string_view PageScript() {
  return {stillframe_page_script,
          static_cast<size_t>(stillframe_page_script_end - stillframe_page_script)};
}

std::string_view PageStyle() {
  return {stillframe_page_style,
          static_cast<size_t>(stillframe_page_style_end - stillframe_page_style)};
}

}  // namespace stillframe::render
