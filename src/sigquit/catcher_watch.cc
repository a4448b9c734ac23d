// SPDX-License-Identifier: Apache-2.0
// Our code on the Signal Catcher's thread: a wait, a count, a wake-up, a short sleep, and the
// release of reserved address space.
// Context: signal
#include "src/sigquit/catcher_watch.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <initializer_list>

#include "arch/arch.h"
#include "src/core/clock.h"
#include "src/core/signal_chain.h"
#include "src/sigquit/trace_reserve.h"

namespace stillframe::sigquit {
namespace {

// bionic's sigwait64 takes a larger set and is called the same.
using SigwaitFunction = int (*)(const sigset_t* set, int* signal);

// The kernel's signal set, on every CPU: one bit per signal, the lowest first.
using KernelSet = uint64_t;
constexpr size_t kKernelSetBytes = 8;
constexpr uint64_t kTakeOverNs = 1'000'000'000;

constexpr KernelSet BitOf(int signal) { return KernelSet{1} << (signal - 1); }

enum class TakeOver : uint32_t {
  kNotAsked,
  kAsked,        // the signal is pending
  kAskedAtLast,  // the same, and it is the last one sent
  kNotWaiting,   // the signal interrupted something other than a wait
  kWaiting,      // its handler, or OnSigwait, waits instead of sigwait
};

// Written before the functions below can run. g_waker: written by Start and Forget (release), read
// on the catcher's thread (acquire).
SigwaitFunction g_original = nullptr;
bool g_has_64_bits = false;
uint64_t g_gap_ns = 0;
struct sigaction g_previous = {};
std::atomic<const core::Waker*> g_waker{nullptr};
// Written on the catcher's thread (release), read by the collector (acquire).
std::atomic<unsigned> g_arrivals{0};
// The collector writes kAsked and kAskedAtLast, the handler the others (release). Each reads the
// other's (acquire).
std::atomic<TakeOver> g_take_over{TakeOver::kNotAsked};
// The catcher reports on a SIGQUIT that is not counted yet. Written on the catcher's thread, and by
// the collector if that thread cannot be asked (relaxed: nothing else depends on it); read on the
// catcher's thread.
std::atomic<bool> g_is_uncounted{false};
uint64_t g_last_ns = 0;  // catcher's thread only
// In OnSigwait, not in the runtime's own sigwait. Written on the catcher's thread, read there and
// by the collector (relaxed: nothing else depends on it).
std::atomic<bool> g_waits_here{false};

void Count() {
  const core::Waker* waker = g_waker.load(std::memory_order_acquire);
  if (waker == nullptr) return;
  g_arrivals.fetch_add(1, std::memory_order_release);
  waker->Wake();
}

// A second SIGQUIT stays pending meanwhile; a third would be lost.
bool IsAnotherPending() {
  KernelSet pending = 0;
  return syscall(SYS_rt_sigpending, &pending, kKernelSetBytes) == 0 &&
         (pending & BitOf(SIGQUIT)) != 0;
}

void SleepUntil(uint64_t end_ns) {
  constexpr int kLookMs = 1;
  while (core::MonotonicNs() < end_ns && !IsAnotherPending()) poll(nullptr, 0, kLookMs);
}

// A SIGQUIT to this thread alone was forwarded by another component, or is the runtime's own, which
// ends the catcher. It is passed on at once, and counted when the catcher returns from its report.
void OnQuit(const siginfo_t& info) {
  if (g_waker.load(std::memory_order_acquire) == nullptr) return;
  if (info.si_code == SI_TKILL) {
    g_is_uncounted.store(true, std::memory_order_relaxed);
    return;
  }
  Count();
  const uint64_t now_ns = core::MonotonicNs();
  const bool is_new = g_last_ns == 0 || now_ns - g_last_ns >= g_gap_ns;
  g_last_ns = now_ns;
  if (is_new) SleepUntil(now_ns + CatcherWatch::kHeadStartNs);
  TraceReserve::Release();
}

// Waits; returns the signal, or -1 with errno.
int Wait(KernelSet set) {
  siginfo_t info = {};
  const auto signal =
      static_cast<int>(syscall(SYS_rt_sigtimedwait, &set, &info, nullptr, kKernelSetBytes));
  if (signal == SIGQUIT) OnQuit(info);
  return signal;
}

// Replaces sigwait in libart's import table. `set` has the size of the C library's type, which is
// shorter than the kernel's on 32-bit bionic.
int OnSigwait(const sigset_t* set, int* signal) {
  if (g_is_uncounted.exchange(false, std::memory_order_relaxed)) Count();
  if (g_waker.load(std::memory_order_acquire) == nullptr) return g_original(set, signal);
  KernelSet wanted = 0;
  constexpr size_t kSetBytes =
      sizeof(sigset_t) < kKernelSetBytes ? sizeof(sigset_t) : kKernelSetBytes;
  memcpy(&wanted, set, g_has_64_bits ? kKernelSetBytes : kSetBytes);
  g_waits_here.store(true, std::memory_order_relaxed);
  int came = 0;
  do {
    came = Wait(wanted);
  } while (came < 0 && (errno == EINTR || errno == EAGAIN));
  g_waits_here.store(false, std::memory_order_relaxed);
  if (came < 0) return errno;
  *signal = came;
  return 0;
}

// The catcher also waits for SIGUSR1. The received signal is sent to this thread again: it is
// blocked here, and the interrupted wait then receives it. A sandbox may forbid tgkill: the process
// then gets the signal, as from the system.
void WaitForSignalCatcher() {
  int came = 0;
  do {
    came = Wait(BitOf(SIGQUIT) | BitOf(SIGUSR1));
  } while (came < 0 && (errno == EINTR || errno == EAGAIN));
  if (came > 0 && syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), came) != 0)
    syscall(SYS_kill, getpid(), came);
}

// By Send. The kernel drops a signal's information if the process may queue no more of them: what
// is left names no sender (kernel/signal.c, __send_signal_locked).
bool IsOurs(const siginfo_t& info) {
  if (info.si_code == SI_QUEUE) return info.si_value.sival_ptr == &g_take_over;
  const TakeOver state = g_take_over.load(std::memory_order_acquire);
  const bool is_asked = state == TakeOver::kAsked || state == TakeOver::kAskedAtLast;
  return is_asked && ((info.si_code == SI_TKILL && info.si_pid == getpid()) ||
                      (info.si_code == SI_USER && info.si_pid == 0));
}

void OnTakeOver(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  if (!IsOurs(*info)) {
    core::ChainForeign(g_previous, signal, info, context);
    errno = saved_errno;
    return;
  }
  if (g_waits_here.load(std::memory_order_relaxed)) {
    g_take_over.store(TakeOver::kWaiting, std::memory_order_release);
  } else if (arch::IsInSigtimedwait(*static_cast<const ucontext_t*>(context))) {
    g_take_over.store(TakeOver::kWaiting, std::memory_order_release);
    WaitForSignalCatcher();
  } else {
    // A thread that starts, or is about to wait, reaches its wait soon. One that never does within
    // the time is in a report.
    g_is_uncounted.store(g_take_over.load(std::memory_order_acquire) == TakeOver::kAskedAtLast,
                         std::memory_order_relaxed);
    g_take_over.store(TakeOver::kNotWaiting, std::memory_order_release);
  }
  errno = saved_errno;
}

// False: the kernel refuses.
bool Send(int32_t thread) {
  siginfo_t info = {};
  info.si_signo = SIGPROF;
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_ptr = &g_take_over;
  return syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, SIGPROF, &info) == 0 ||
         syscall(SYS_tgkill, getpid(), thread, SIGPROF) == 0;
}

bool IsAnswered() {
  const TakeOver state = g_take_over.load(std::memory_order_acquire);
  return state == TakeOver::kNotWaiting || state == TakeOver::kWaiting;
}

enum class Answer { kGiven, kPending, kRefused };

// kPending: not before `end_ns`, and the signal is still there. kRefused: the kernel sends none.
Answer Ask(int32_t thread, TakeOver how, uint64_t end_ns) {
  g_take_over.store(how, std::memory_order_release);
  if (!Send(thread)) {
    g_take_over.store(TakeOver::kNotWaiting, std::memory_order_release);
    return Answer::kRefused;
  }
  while (!IsAnswered() && core::MonotonicNs() < end_ns) poll(nullptr, 0, 1);
  return IsAnswered() ? Answer::kGiven : Answer::kPending;
}

}  // namespace

void CatcherWatch::Start(const Setup& setup) {
  g_gap_ns = setup.gap_ns;
  g_waker.store(setup.waker, std::memory_order_release);
}

uintptr_t CatcherWatch::Replacement(uintptr_t original, bool has_64_bits) {
  g_original = reinterpret_cast<SigwaitFunction>(original);
  g_has_64_bits = has_64_bits;
  return reinterpret_cast<uintptr_t>(&OnSigwait);
}

bool CatcherWatch::TakeOverWait(int32_t catcher, core::SigactionFunction kernel_sigaction) {
  struct sigaction action = {};
  action.sa_sigaction = OnTakeOver;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  // Blocks only signals that must not be lost: the handler waits as long as the catcher would.
  // Other signals are handled meanwhile, such as the one by which bionic runs a function on all
  // threads (libc/bionic/pthread_internal.cpp).
  sigemptyset(&action.sa_mask);
  for (const int kept : {SIGQUIT, SIGUSR1, SIGPROF}) sigaddset(&action.sa_mask, kept);
  if (kernel_sigaction(SIGPROF, &action, &g_previous) != 0) return false;
  const uint64_t end_ns = core::MonotonicNs() + kTakeOverNs;
  constexpr int kAskAgainMs = 20;
  Answer answer = Answer::kGiven;
  for (TakeOver how = TakeOver::kAsked;; poll(nullptr, 0, kAskAgainMs)) {
    answer = Ask(catcher, how, end_ns + kTakeOverNs);
    const bool is_waiting = g_take_over.load(std::memory_order_acquire) == TakeOver::kWaiting;
    if (answer != Answer::kGiven || is_waiting || how == TakeOver::kAskedAtLast) break;
    if (core::MonotonicNs() >= end_ns) how = TakeOver::kAskedAtLast;
  }
  // While the signal is pending, the default action must not be restored.
  if (answer != Answer::kPending) kernel_sigaction(SIGPROF, &g_previous, nullptr);
  if (answer == Answer::kRefused) {
    // A catcher that starts waits in OnSigwait by then; the others are in the runtime's own wait.
    poll(nullptr, 0, kAskAgainMs);
    g_is_uncounted.store(!g_waits_here.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
  return g_take_over.load(std::memory_order_acquire) == TakeOver::kWaiting;
}

unsigned CatcherWatch::arrivals() { return g_arrivals.load(std::memory_order_acquire); }

void CatcherWatch::Forget() { g_waker.store(nullptr, std::memory_order_release); }

}  // namespace stillframe::sigquit
