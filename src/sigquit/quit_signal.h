// SPDX-License-Identifier: Apache-2.0
// SIGQUIT, with which Android announces an ANR.
//
// ART's Signal Catcher waits for it with sigwait, which needs it blocked in every thread. To see it
// first, it is unblocked on one thread, where our handler posts the collector and returns; the
// collector dumps and then sends the signal on to the Signal Catcher's own thread, which prints its
// traces as before. The default action is never restored: a second ANR would kill the process.
#pragma once

#include <signal.h>

#include "src/core/guarded_memory.h"

namespace stillframe::sigquit {

class QuitSignal {
 public:
  // Installs the handler, which adds 1 to the eventfd `wake_fd` and to arrivals(). Returns 0 or
  // errno. Once per process. Context: start-up only
  static int Install(core::SigactionFunction kernel_sigaction, int wake_fd);

  // From now on this thread takes the process's SIGQUITs; before its first message the sampler's
  // handler sees to that (src/core/sampler.h, unblock_sigquit_cookie). One system call. Context:
  // the watched thread
  static void UnblockOnThisThread();

  // How many arrived so far. Context: any thread
  static unsigned arrivals();
};

}  // namespace stillframe::sigquit
