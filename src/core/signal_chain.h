// SPDX-License-Identifier: Apache-2.0
// Forwards a signal that is not ours to the handler before us.
#pragma once

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/core/guarded_memory.h"

namespace stillframe::core {

// If the handler before was the default action, the signal is swallowed: our presence must not kill
// the process.
inline void ChainForeign(const struct sigaction& previous, int signal, siginfo_t* info,
                         void* context) {
  if ((static_cast<unsigned>(previous.sa_flags) & static_cast<unsigned>(SA_SIGINFO)) != 0) {
    if (previous.sa_sigaction != nullptr) previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  }
}

// Sends a signal to this thread again, with its siginfo: the system's crash dump then sees the
// original sender.
inline void SendAgain(int signal, siginfo_t* info) {
  if (syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), signal, info) != 0) raise(signal);
}

// Forwards a fatal signal, also to the default action. Before a handler with SA_RESETHAND runs, the
// default action is installed, as the kernel would do.
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
    // As without us: a faulting instruction runs again and then meets the default action. Signals
    // that were sent, and SIGSYS of a forbidden system call, do not recur, so send them again.
    if (info->si_code <= 0 || signal == SIGSYS) SendAgain(signal, info);
  } else if ((flags & static_cast<unsigned>(SA_SIGINFO)) != 0) {
    previous.sa_sigaction(signal, info, context);
  } else {
    previous.sa_handler(signal);
  }
}

}  // namespace stillframe::core
