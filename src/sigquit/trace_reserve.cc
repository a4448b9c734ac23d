// SPDX-License-Identifier: Apache-2.0
#include "src/sigquit/trace_reserve.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace stillframe::sigquit {
namespace {

std::atomic<void*> g_reserve{nullptr};

}  // namespace

void TraceReserve::Keep() {
  if (g_reserve.load(std::memory_order_relaxed) != nullptr) return;
  void* const room =
      mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room != MAP_FAILED) g_reserve.store(room, std::memory_order_release);
}

void TraceReserve::Release() {
  void* const room = g_reserve.exchange(nullptr, std::memory_order_acq_rel);
  const int saved_errno = errno;
  if (room != nullptr) syscall(SYS_munmap, room, kBytes);
  errno = saved_errno;
}

}  // namespace stillframe::sigquit
