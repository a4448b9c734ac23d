// SPDX-License-Identifier: Apache-2.0
// What standard output is.
#pragma once

#include <cstddef>

namespace stillframe::verbs {

struct Terminal {
  size_t columns = 0;       // 0: it is no terminal, and nothing is shortened for it
  bool has_colour = false;  // it shows colours, and NO_COLOR (no-color.org) is not set
};

Terminal StandardOutput();

}  // namespace stillframe::verbs
