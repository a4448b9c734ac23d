// SPDX-License-Identifier: Apache-2.0
#include "src/core/death_mark.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <iterator>

#include "arch/arch.h"
#include "src/core/clock.h"
#include "src/core/sampler.h"
#include "src/core/signal_chain.h"

namespace stillframe::core {
namespace {

constexpr int kFatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP, SIGSYS};
constexpr char kOurThreads[] = "stillframe";  // prefix of their names

// Written by WatchForDeath before a handler is installed, read by handlers.
DeathFile g_file;
pid_t g_process = 0;
SigactionFunction g_chain_sigaction = nullptr;
SigactionFunction g_kernel_sigaction = nullptr;
struct sigaction g_previous[std::size(kFatal)];

// The mark in the file; 0: none. Stored after the file is written, by the dying thread (release).
// Read by UnmarkOld and other handlers (acquire).
std::atomic<uint64_t> g_mark{0};
std::atomic<uint64_t> g_marked_ns{0};
// Relaxed: they guard nothing.
std::atomic<uint64_t> g_healthy_at_ns{UINT64_MAX};
std::atomic<uint64_t> g_killed_ns{0};  // when another process sent a fatal signal

bool IsOurCode(uintptr_t pc) {
  return pc - g_file.code_begin < g_file.code_end - g_file.code_begin;
}

// If the write fails, no mark is left, and the death counts as a kill.
bool WriteMark(uint64_t mark) {
  struct stat now;
  if (fstat(g_file.fd, &now) != 0 || now.st_dev != g_file.device || now.st_ino != g_file.inode)
    return false;
  if (pwrite(g_file.fd, &mark, sizeof mark, static_cast<off_t>(g_file.offset)) != sizeof mark)
    return false;
  g_marked_ns.store(mark == 0 ? 0 : MonotonicNs(), std::memory_order_relaxed);
  g_mark.store(mark, std::memory_order_release);
  return true;
}

bool MarkDeath(int signal, bool is_ours) {
  // In the child of a fork or vfork nothing is marked.
  if (g_process == 0 || getpid() != g_process) return false;
  // A death soon after a kill is part of the kill.
  const uint64_t killed_ns = g_killed_ns.load(std::memory_order_relaxed);
  if (killed_ns != 0 && MonotonicNs() - killed_ns < kKillNs) return false;
  // The first death is the cause. Later faults follow from it: other threads, ours too, run in a
  // half-dismantled runtime.
  if (g_mark.load(std::memory_order_acquire) != 0) return true;
  const bool is_late = MonotonicNs() >= g_healthy_at_ns.load(std::memory_order_relaxed);
  return WriteMark(g_file.mark | (is_ours ? kDeathIsOurs : 0) | (is_late ? kDeathIsLate : 0) |
                   (is_ours && Sampler::IsInHandler() ? kDeathInHandler : 0) |
                   (static_cast<uint64_t>(signal) & kDeathSignalBits));
}

bool IsOnOurThread() {
  char name[16] = {};
  return prctl(PR_GET_NAME, name) == 0 && memcmp(name, kOurThreads, sizeof kOurThreads - 1) == 0;
}

// Whether the process dies in our code: a fault in our code, on our thread or in our handler. A
// signal that the process sent to itself counts only if our thread aborts, because the interrupted
// place means nothing.
bool IsOurDeath(int signal, const siginfo_t& info, const void* context) {
  if (info.si_code <= 0) return signal == SIGABRT && IsOnOurThread();
  const uintptr_t pc = arch::ProgramCounter(*static_cast<const ucontext_t*>(context));
  return IsOurCode(pc) || IsOnOurThread() || Sampler::IsInHandler();
}

void OnFatal(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const bool is_kill = NoteKill(*info);
  const bool is_marked = !is_kill && MarkDeath(signal, IsOurDeath(signal, *info, context));
  size_t i = 0;
  while (kFatal[i] != signal) ++i;
  errno = saved_errno;
  ChainFatal(g_previous[i], g_chain_sigaction, signal, info, context);
  if (is_marked) UnmarkIfAlive(signal);
}

// Keeps the flags and the mask of the handler before.
void Install(int signal, struct sigaction* previous) {
  if (g_chain_sigaction(signal, nullptr, previous) != 0 || previous->sa_handler == SIG_IGN) return;
  struct sigaction action = *previous;
  if (previous->sa_handler == SIG_DFL) sigemptyset(&action.sa_mask);
  action.sa_flags &= ~static_cast<int>(SA_RESETHAND);
  action.sa_flags |= SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = OnFatal;
  g_chain_sigaction(signal, &action, nullptr);
}

}  // namespace

void WatchForDeath(const DeathFile& file, SigactionFunction chain_sigaction,
                   SigactionFunction kernel_sigaction) {
  if (g_process != 0) return;
  g_file = file;
  g_chain_sigaction = chain_sigaction;
  g_kernel_sigaction = kernel_sigaction;
  g_process = getpid();
  for (size_t i = 0; i < std::size(kFatal); ++i) Install(kFatal[i], &g_previous[i]);
}

void SetHealthyAt(uint64_t at_ns) { g_healthy_at_ns.store(at_ns, std::memory_order_relaxed); }

void UnmarkOld(uint64_t age_ns) {
  const uint64_t marked_ns = g_marked_ns.load(std::memory_order_relaxed);
  if (g_mark.load(std::memory_order_acquire) != 0 && MonotonicNs() - marked_ns >= age_ns)
    WriteMark(0);
}

bool NoteKill(const siginfo_t& info) {
  const bool is_kill =
      info.si_code <= 0 && info.si_pid != g_process && g_process != 0 && getpid() == g_process;
  if (is_kill) g_killed_ns.store(MonotonicNs(), std::memory_order_relaxed);
  return is_kill;
}

bool MarkDeathInOurCode(int signal, uintptr_t pc) {
  return IsOurCode(pc) && MarkDeath(signal, true);
}

void UnmarkIfAlive(int signal) {
  const int saved_errno = errno;
  struct sigaction chained = {};
  struct sigaction kernel = {};
  const int chained_error = g_chain_sigaction(signal, nullptr, &chained);
  const int kernel_error = g_kernel_sigaction(signal, nullptr, &kernel);
  // A different action, as crash reporters install, means that the next such signal kills the
  // process.
  if (chained_error == 0 && kernel_error == 0 &&
      (chained.sa_sigaction == OnFatal || IsFaultRecovery(chained)) && kernel.sa_handler != SIG_DFL)
    WriteMark(0);
  errno = saved_errno;
}

}  // namespace stillframe::core
