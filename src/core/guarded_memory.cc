// SPDX-License-Identifier: Apache-2.0
#include "src/core/guarded_memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "arch/arch.h"
#include "src/core/death_mark.h"
#include "src/core/published_action.h"
#include "src/core/sampler.h"
#include "src/core/signal_chain.h"

namespace stillframe::core {
namespace {

struct GuardedLoadRow {
  int32_t load;
  int32_t recovery;
};

// Bounds of the section, defined by the linker.
extern "C" [[gnu::visibility("hidden")]] const GuardedLoadRow __start_sf_guarded_loads[];
extern "C" [[gnu::visibility("hidden")]] const GuardedLoadRow __stop_sf_guarded_loads[];

uintptr_t Target(const int32_t* offset) {
  return reinterpret_cast<uintptr_t>(offset) +
         static_cast<uintptr_t>(static_cast<intptr_t>(*offset));
}

SigactionFunction g_kernel_sigaction = nullptr;  // written once by InstallFaultRecovery

// Counts how often one fault reaches the same handler of ours, since two handlers that forward to
// each other would never end. The same fault has the same siginfo, deeper on the stack. So has the
// next one when another handler was installed in front meanwhile: a slot is released when the
// handlers return. One that is left by longjmp keeps it. Threads that share a slot may hide a cycle
// for one round.
class Forwarding {
 public:
  uint32_t TimesBefore(pid_t tid, const siginfo_t* info, uintptr_t frame) {
    Slot& slot = slots_[static_cast<uint32_t>(tid) % slots_.size()];
    const bool is_same = slot.tid.load(std::memory_order_relaxed) == tid &&
                         slot.info.load(std::memory_order_relaxed) == info &&
                         frame < slot.frame.load(std::memory_order_relaxed);
    const uint32_t times = is_same ? slot.times.load(std::memory_order_relaxed) + 1 : 0;
    slot.tid.store(tid, std::memory_order_relaxed);
    slot.info.store(info, std::memory_order_relaxed);
    slot.frame.store(frame, std::memory_order_relaxed);
    slot.times.store(times, std::memory_order_relaxed);
    return times;
  }

  void Release(pid_t tid) {
    Slot& slot = slots_[static_cast<uint32_t>(tid) % slots_.size()];
    slot.info.store(nullptr, std::memory_order_relaxed);
  }

 private:
  struct Slot {
    std::atomic<pid_t> tid{0};
    std::atomic<const siginfo_t*> info{nullptr};
    std::atomic<uintptr_t> frame{0};
    std::atomic<uint32_t> times{0};
  };
  std::array<Slot, 8> slots_;
};

// One installation of the recovery. The action before it is published before its handler is
// installed, and may change while the handler runs on another thread.
struct Place {
  PublishedAction previous;
  Forwarding forwarding;
};

// The first is from the start; the others were installed in front of later handlers.
Place g_segv;
std::array<Place, kMostTimesInFront + 1> g_bus;
// The action to which the signal chain passes SIGSEGV, as last read from the chain. Without a
// chain: the action before ours.
PublishedAction g_behind_chain;
struct sigaction g_behind_chain_at_start;  // written once by InstallFaultRecovery
// Collector only.
uintptr_t g_overtaken = 0;
uint32_t g_times_in_front = 0;
uint32_t g_times_before_chain = 0;

// Range of the guarded loads; written once by InstallFaultRecovery. One comparison excludes other
// faults, of which ART has thousands.
uintptr_t g_first_load = 0;
uintptr_t g_load_bytes = 0;  // from the first to the last

void FindLoads() {
  uintptr_t last = 0;
  g_first_load = UINTPTR_MAX;
  for (const auto* row = __start_sf_guarded_loads; row != __stop_sf_guarded_loads; ++row) {
    g_first_load = std::min(g_first_load, Target(&row->load));
    last = std::max(last, Target(&row->load));
  }
  g_load_bytes = last - g_first_load;
}

bool IsRecovered(uintptr_t pc, ucontext_t* machine) {
  if (pc - g_first_load > g_load_bytes) return false;
  for (const auto* row = __start_sf_guarded_loads; row != __stop_sf_guarded_loads; ++row) {
    if (Target(&row->load) != pc) continue;
    arch::SetProgramCounter(machine, Target(&row->recovery));
    return true;
  }
  return false;
}

// The body of OnSegv and OnBus. Not inlined: policy.signal_safety finds it by name.
[[gnu::noinline]] void OnFault(int signal, siginfo_t* info, void* context, Place* place) {
  auto* machine = static_cast<ucontext_t*>(context);
  const uintptr_t pc = arch::ProgramCounter(*machine);
  // A signal that was sent is not a fault, wherever it arrived.
  const bool is_fault = info->si_code > 0;
  if (is_fault && (IsRecovered(pc, machine) || Sampler::LeaveHandler(machine))) return;
  const bool is_marked = is_fault && MarkDeathInOurCode(signal, pc);
  NoteKill(*info);
  const uint32_t times = place->forwarding.TimesBefore(
      gettid(), info, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  const struct sigaction* before = &place->previous.Get();
  if (times != 0 && signal == SIGBUS) before = &g_bus[0].previous.Get();
  if (times == 1 && signal == SIGSEGV) before = &g_behind_chain.Get();
  if (times > 1 && signal == SIGSEGV) before = &g_behind_chain_at_start;
  ChainFatal(*before, g_kernel_sigaction, signal, info, context);
  place->forwarding.Release(gettid());
  if (is_marked) UnmarkIfAlive(signal);
}

void OnSegv(int signal, siginfo_t* info, void* context) { OnFault(signal, info, context, &g_segv); }

template <size_t place>
void OnBus(int signal, siginfo_t* info, void* context) {
  OnFault(signal, info, context, &g_bus[place]);
}

using Handler = void (*)(int, siginfo_t*, void*);

template <size_t... places>
constexpr std::array<Handler, sizeof...(places)> BusHandlers(std::index_sequence<places...>) {
  return {OnBus<places>...};
}
constexpr auto kOnBus = BusHandlers(std::make_index_sequence<kMostTimesInFront + 1>());

// Keeps mask and flags of the handler before us, which then runs as it expects to. Returns 0 or
// errno.
[[gnu::noinline]] int Install(int signal, Handler handler, const struct sigaction& before,
                              Place* place) {
  if (!place->previous.Set(before)) return EAGAIN;
  struct sigaction action = before;
  if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) sigemptyset(&action.sa_mask);
  action.sa_flags &= ~static_cast<int>(SA_RESETHAND);
  action.sa_flags |= SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = handler;
  return g_kernel_sigaction(signal, &action, nullptr) == 0 ? 0 : errno;
}

int InstallFirst(int signal, Handler handler, Place* place) {
  struct sigaction before = {};
  if (g_kernel_sigaction(signal, nullptr, &before) != 0) return errno;
  return Install(signal, handler, before, place);
}

bool IsOnBus(const struct sigaction& action) {
  return std::find(kOnBus.begin(), kOnBus.end(), action.sa_sigaction) != kOnBus.end();
}

[[gnu::noinline]] void RememberNextHandlers() {
  struct sigaction now = {};
  // With a signal chain, this reads the chain's action, since the chain interposes sigaction.
  if (sigaction(SIGSEGV, nullptr, &now) != 0 || IsFaultRecovery(now)) return;
  g_behind_chain.Set(now);  // if it has no record left, the last one stays
}

// The chain registered itself again in front of ours. It then forwards to ours instead of to its
// earlier action.
bool InstallInFrontOfChain(const struct sigaction& now) {
  constexpr uint32_t kMostTimes = 1'000;
  if (now.sa_sigaction != g_segv.previous.Get().sa_sigaction || now.sa_handler == SIG_DFL ||
      g_times_before_chain == kMostTimes)
    return false;
  ++g_times_before_chain;
  if (Install(SIGSEGV, OnSegv, now, &g_segv) != 0) return false;
  // The chain's forwarding target may have changed meanwhile; restore it if it is ours.
  struct sigaction chained = {};
  if (sigaction(SIGSEGV, nullptr, &chained) == 0 && IsFaultRecovery(chained))
    sigaction(SIGSEGV, &g_behind_chain.Get(), nullptr);
  struct sigaction kernels = {};
  return g_kernel_sigaction(SIGSEGV, nullptr, &kernels) == 0 && IsFaultRecovery(kernels);
}

bool InstallInFront(const struct sigaction& now) {
  // A handler that we overtook earlier has installed itself again: reuse its place.
  for (uint32_t place = 1; place <= g_times_in_front; ++place)
    if (g_bus[place].previous.Get().sa_sigaction == now.sa_sigaction)
      return Install(SIGBUS, kOnBus[place], now, &g_bus[place]) == 0;
  if (g_times_in_front == kMostTimesInFront) return false;
  const uint32_t place = ++g_times_in_front;
  return Install(SIGBUS, kOnBus[place], now, &g_bus[place]) == 0;
}

}  // namespace

int InstallFaultRecovery(SigactionFunction kernel_sigaction) {
  if (g_kernel_sigaction != nullptr) return 0;
  g_kernel_sigaction = kernel_sigaction;
  FindLoads();
  RememberNextHandlers();
  g_behind_chain_at_start = g_behind_chain.Get();
  const int error = InstallFirst(SIGSEGV, OnSegv, &g_segv);
  return error != 0 ? error : InstallFirst(SIGBUS, kOnBus[0], g_bus.data());
}

bool IsFaultRecovery(const struct sigaction& action) {
  return action.sa_sigaction == OnSegv || IsOnBus(action);
}

FaultRecovery KeepFaultRecovery() {
  FaultRecovery found;
  if (g_kernel_sigaction == nullptr) return found;
  for (const int signal : {SIGSEGV, SIGBUS}) {
    struct sigaction now = {};
    if (g_kernel_sigaction(signal, nullptr, &now) != 0) continue;
    if (IsFaultRecovery(now)) {
      if (signal == SIGSEGV) RememberNextHandlers();
      continue;
    }
    const bool is_overtaken = signal == SIGBUS ? InstallInFront(now) : InstallInFrontOfChain(now);
    (is_overtaken ? found.overtaken : found.foreign) =
        reinterpret_cast<uintptr_t>(now.sa_sigaction);
    found.is_in_place = found.is_in_place && is_overtaken;
    if (is_overtaken) g_overtaken = found.overtaken;
  }
  return found;
}

uintptr_t TakeOvertaken() { return std::exchange(g_overtaken, 0); }

bool RecoveryWorks() {
  void* page = mmap(nullptr, static_cast<size_t>(sysconf(_SC_PAGESIZE)), PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return false;
  uint64_t value = 0;
  const bool loaded = arch::GuardedLoad64(reinterpret_cast<uintptr_t>(page), &value);
  munmap(page, static_cast<size_t>(sysconf(_SC_PAGESIZE)));
  return !loaded;
}

}  // namespace stillframe::core
