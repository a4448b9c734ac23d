// SPDX-License-Identifier: Apache-2.0
// Which classes are the application's own, and not a library's or the platform's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/model/document.h"

namespace stillframe::index {

class OwnCode {
 public:
  // Classes in `packages` and below; if none is given, in the application's package as the dump has
  // it; if that is not known or has no class on any stack, what is neither the platform's nor a
  // well-known library's.
  OwnCode(const model::Document& document, const std::vector<std::string>& packages);

  bool Has(std::string_view class_name) const;

 private:
  std::vector<std::string> packages_;  // empty: by exclusion
};

}  // namespace stillframe::index
