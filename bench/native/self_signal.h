// SPDX-License-Identifier: Apache-2.0
// Sends a SIGPROF to this thread that looks like the sampler timer's.
// Context: any thread; the signal is delivered before Raise returns
#pragma once

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace bench {

class SelfSignal {
 public:
  // A process may send itself any si_code (man 2 rt_tgsigqueueinfo).
  explicit SelfSignal(void* cookie) : pid_(getpid()), tid_(gettid()) {
    info_.si_signo = SIGPROF;
    info_.si_code = SI_TIMER;
    info_.si_value.sival_ptr = cookie;
  }

  void Raise() const { syscall(SYS_rt_tgsigqueueinfo, pid_, tid_, SIGPROF, &info_); }

 private:
  pid_t pid_;
  pid_t tid_;
  siginfo_t info_ = {};
};

}  // namespace bench
