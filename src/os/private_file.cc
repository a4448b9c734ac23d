// SPDX-License-Identifier: Apache-2.0
// Sets the mode, and looks whether it stays.
#include "src/os/private_file.h"

namespace stillframe::os {

bool WasOpenToOthers(int fd, struct stat* facts) {
  constexpr mode_t kOthers = 077;
  return (facts->st_mode & kOthers) != 0 && fchmod(fd, 0600) == 0 && fstat(fd, facts) == 0 &&
         (facts->st_mode & kOthers) == 0;
}

}  // namespace stillframe::os
