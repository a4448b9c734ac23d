// SPDX-License-Identifier: Apache-2.0
#include "src/sigquit/native_stacks.h"

#include <errno.h>

namespace stillframe::sigquit {
namespace {

using Tgkill = int (*)(int process, int thread, int signal);

// Written before the replacement is called.
Tgkill g_original = nullptr;
int32_t g_unasked = 0;

int OnTgkill(int process, int thread, int signal) {
  if (thread != g_unasked) return g_original(process, thread, signal);
  errno = ESRCH;
  return -1;
}

}  // namespace

uintptr_t UnaskedThread(uintptr_t original, int32_t tid) {
  g_original = reinterpret_cast<Tgkill>(original);
  g_unasked = tid;
  return reinterpret_cast<uintptr_t>(&OnTgkill);
}

}  // namespace stillframe::sigquit
