// SPDX-License-Identifier: Apache-2.0
// Forbids system calls to the whole process, as a platform's seccomp filter does: FORBIDDEN_CALL is
// the number of one that raises SIGSYS. Preloaded. Context: before main
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "tests/process/faults/preloaded.h"

namespace {

[[gnu::constructor]] void Forbid() {
  const long number = faults::NumberOf("FORBIDDEN_CALL", -1);
  if (number < 0) return;
  sock_filter steps[] = {
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<uint32_t>(number)},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_TRAP},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  const sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    fprintf(stderr, "no filter of system calls\n");
}

}  // namespace
