// SPDX-License-Identifier: Apache-2.0
// One directed signal.
#include "src/anr/signal_catcher.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "src/os/proc.h"

namespace stillframe::anr {

bool PassQuitOn() {
  const int32_t catcher = os::FindThreadByName("Signal Catcher");
  return catcher != 0 && syscall(SYS_tgkill, getpid(), catcher, SIGQUIT) == 0;
}

}  // namespace stillframe::anr
