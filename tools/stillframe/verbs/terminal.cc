// SPDX-License-Identifier: Apache-2.0
// Asks the kernel and the environment.
#include "tools/stillframe/verbs/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace stillframe::verbs {

Terminal StandardOutput() {
  constexpr size_t kUsualColumns = 80;
  if (isatty(STDOUT_FILENO) != 1) return {};
  Terminal terminal;
  winsize size{};
  const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  terminal.columns = is_known ? size.ws_col : kUsualColumns;
  const char* type = std::getenv("TERM");
  const char* no_colour = std::getenv("NO_COLOR");
  terminal.has_colour = type != nullptr && std::string_view(type) != "dumb" &&
                        (no_colour == nullptr || *no_colour == '\0');
  return terminal;
}

}  // namespace stillframe::verbs
