// SPDX-License-Identifier: Apache-2.0
// Hands a signal that is not ours to the handler that was there before us.
#pragma once

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/core/guarded_memory.h"

namespace stillframe::core {

// A signal that would have met the default action is swallowed: a process must not die of our
// presence.
inline void ChainForeign(const struct sigaction& previous, int signal, siginfo_t* info,
                         void* context) {
  if ((static_cast<unsigned>(previous.sa_flags) & static_cast<unsigned>(SA_SIGINFO)) != 0) {
    if (previous.sa_sigaction != nullptr) previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  }
}

// Sends a signal once more to this thread, as it came: whoever looks at it then, as the system's
// crash dump does, sees who sent it.
inline void SendAgain(int signal, siginfo_t* info) {
  if (syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), signal, info) != 0) raise(signal);
}

// A fatal signal that would have met the default action meets it. A handler with SA_RESETHAND finds
// that action in place, as the kernel would leave it.
inline void ChainFatal(const struct sigaction& previous, SigactionFunction set_action, int signal,
                       siginfo_t* info, void* context) {
  const auto flags = static_cast<unsigned>(previous.sa_flags);
  const bool is_default = previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN;
  if (is_default || (flags & static_cast<unsigned>(SA_RESETHAND)) != 0) {
    struct sigaction by_default = {};
    by_default.sa_handler = SIG_DFL;
    set_action(signal, &by_default, nullptr);
  }
  if (is_default) {
    // As without us: a faulting instruction runs again and then meets the default action; a signal
    // that somebody sent, and that of a system call that is forbidden, does not come again by
    // itself.
    if (info->si_code <= 0 || signal == SIGSYS) SendAgain(signal, info);
  } else if ((flags & static_cast<unsigned>(SA_SIGINFO)) != 0) {
    previous.sa_sigaction(signal, info, context);
  } else {
    previous.sa_handler(signal);
  }
}

}  // namespace stillframe::core
