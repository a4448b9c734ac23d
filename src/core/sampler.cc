// SPDX-License-Identifier: Apache-2.0
// The SIGPROF handler, from the kernel's call to a committed sample.
#include "src/core/sampler.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "src/core/clock.h"
#include "src/core/counters.h"
#include "src/core/prefetch.h"
#include "src/core/signal_chain.h"

// Bounds of the functions that are marked with SF_EACH_SAMPLE, from the linker.
extern "C" [[gnu::visibility("hidden")]] const char __start_sf_each_sample[];
extern "C" [[gnu::visibility("hidden")]] const char __stop_sf_each_sample[];

namespace stillframe::core {
namespace {

// The handler finds its sampler here. Written once, before the handler is installed.
std::atomic<Sampler*> g_sampler{nullptr};

// Where the running handler returns to. `sp` 0: unknown. Written and read on the handler's thread.
struct HandlerExit {
  uintptr_t pc;
  uintptr_t sp;
  int saved_errno;
};
HandlerExit g_exit = {};

// Written by the fault handler, read by any thread. Relaxed: it guards nothing.
std::atomic<uint32_t> g_handler_faults{0};
constexpr uint32_t kMostFaults = 3;

// The handler's own stack is at most this deep; further down another signal's handler may run.
// policy.signal_safety computes less than half of it.
constexpr uintptr_t kMostStackBytes = 4096;
constexpr uint32_t kMostCramped = 3;

struct sigaction OurAction(void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&action.sa_mask);
  return action;
}

}  // namespace

int Sampler::Start(const Setup& setup) {
  walk_ = setup.walk;
  walker_ = setup.walker;
  thread_ = setup.thread;
  slow_ns_ = setup.slow_ns;
  max_depth_ = setup.max_depth;
  copies_ = setup.copies;
  if (!ring_.Create(setup.ring_bytes)) return ENOMEM;
  stack_requests_.Start(setup.walk, setup.max_depth);
  Sampler* none = nullptr;
  if (!g_sampler.compare_exchange_strong(none, this)) return EALREADY;
  kernel_sigaction_ = setup.kernel_sigaction;
  const struct sigaction action = OurAction(OnSigprof);
  if (kernel_sigaction_(SIGPROF, &action, &previous_) != 0) {
    g_sampler.store(nullptr, std::memory_order_seq_cst);
    return errno;
  }
  gate_.fetch_or(kStarted, std::memory_order_seq_cst);
  return 0;
}

bool Sampler::Resume() {
  return (gate_.fetch_and(kStarted | kBroken | kCramped, std::memory_order_seq_cst) & kStopped) !=
         0;
}

uintptr_t Sampler::ForeignHandler() const {
  struct sigaction now = {};
  if (kernel_sigaction_(SIGPROF, nullptr, &now) != 0 || now.sa_sigaction == OnSigprof) return 0;
  if (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN) return kNoHandler;
  return reinterpret_cast<uintptr_t>(now.sa_sigaction);
}

void Sampler::InstallAgain() const {
  const struct sigaction action = OurAction(OnSigprof);
  kernel_sigaction_(SIGPROF, &action, nullptr);
}

bool Sampler::Stop() {
  gate_.fetch_or(kStopped, std::memory_order_seq_cst);
  for (int i = 0; i < 100; ++i) {
    if (!in_handler_.load(std::memory_order_seq_cst)) return true;
    const timespec one_ms{0, 1'000'000};
    nanosleep(&one_ms, nullptr);
  }
  return false;
}

void Sampler::SetCpuClockBase(uint64_t base_ns, uint64_t interval_ns, const void* cookie) {
  armed_cookie_.store(cookie, std::memory_order_release);
  interval_cpu_ns_.store(interval_ns, std::memory_order_relaxed);
  next_expiry_cpu_ns_.store(base_ns, std::memory_order_release);
}

uint8_t Sampler::WalkBlocked(RawFrame* frames, uint32_t limit, uint32_t* depth,
                             Truncation* truncation) const {
  FrameSink sink(frames, 0, UINT64_MAX, limit, FrameSink::OutermostOf(limit));
  const uintptr_t runtime_thread = thread_->runtime_thread.load(std::memory_order_acquire);
  const uint8_t state = walk_(walker_, runtime_thread, nullptr, &sink);
  // The caller reads the thread's CPU clock next. The fence keeps the walk's loads before that.
  std::atomic_thread_fence(std::memory_order_acquire);
  *depth = sink.depth();
  *truncation = sink.truncation();
  return state;
}

bool Sampler::IsInHandler() {
  const Sampler* sampler = g_sampler.load(std::memory_order_acquire);
  return sampler != nullptr && sampler->in_handler_.load(std::memory_order_acquire) &&
         gettid() == sampler->thread_->tid;
}

uint32_t Sampler::handler_faults() { return g_handler_faults.load(std::memory_order_relaxed); }

bool Sampler::LeaveHandler(ucontext_t* context) {
  if (!IsInHandler()) return false;
  Sampler* sampler = g_sampler.load(std::memory_order_acquire);
  const HandlerExit& exit = g_exit;
  if (exit.sp == 0 || exit.sp - arch::RegistersOf(*context).sp > kMostStackBytes) return false;
  arch::ReturnTo(context, exit.pc, exit.sp);
  errno = exit.saved_errno;
  if (g_handler_faults.fetch_add(1, std::memory_order_relaxed) + 1 >= kMostFaults)
    sampler->gate_.fetch_or(kBroken, std::memory_order_seq_cst);
  sampler->in_handler_.store(false, std::memory_order_release);
  return true;
}

bool Sampler::IsOurs(const siginfo_t& info) const {
  const void* cookie = info.si_value.sival_ptr;
  return info.si_code == SI_TIMER && (cookie == this || cookie == &other_);
}

void Sampler::OnSigprof(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  Sampler* sampler = g_sampler.load(std::memory_order_acquire);
  // A stack request does not set in_handler_: Stop does not wait for it, and LeaveHandler does not
  // end it.
  if (info->si_code == SI_TIMER && sampler->stack_requests_.Owns(info->si_value.sival_ptr)) {
    arch::TagChecks::SwitchOff();
    sampler->stack_requests_.Answer(info->si_value.sival_ptr,
                                    *static_cast<const ucontext_t*>(context));
  } else if (!sampler->IsOurs(*info)) {
    Counters::Add(Counter::kDropsForeignSignal);
    ChainForeign(sampler->previous_, signal, info, context);
  } else if (sampler->in_handler_.exchange(true, std::memory_order_seq_cst)) {
    Counters::Add(Counter::kDropsReentered);
  } else {
    const auto cfa = reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa());
    const auto pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    g_exit = {pc, arch::StackAfterHandler(cfa, pc, info, context), saved_errno};
    // Off until the kernel's sigreturn, through which LeaveHandler returns too.
    arch::TagChecks::SwitchOff();
    sampler->Take(*info, *static_cast<const ucontext_t*>(context));
    sampler->in_handler_.store(false, std::memory_order_release);
  }
  errno = saved_errno;
}

void Sampler::Take(const siginfo_t& info, const ucontext_t& context) {
  const uint64_t begin_ns = MonotonicNs();
  Prefetch(__start_sf_each_sample, __stop_sf_each_sample);
  arrivals_.store(arrivals_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (info.si_value.sival_ptr != armed_cookie_.load(std::memory_order_acquire)) {
    Counters::Add(Counter::kDropsNoSlowMessage);
    return;
  }
  const uint64_t expiries = 1 + static_cast<uint64_t>(info.si_overrun < 0 ? 0 : info.si_overrun);
  const uint64_t next = next_expiry_cpu_ns_.load(std::memory_order_acquire);
  const uint64_t interval = interval_cpu_ns_.load(std::memory_order_relaxed);
  next_expiry_cpu_ns_.store(next + expiries * interval, std::memory_order_release);
  const uint64_t cpu_ns = next + (expiries - 1) * interval;

  // The handler interrupts the publishing thread itself, so the two loads are consistent.
  const Token message = thread_->message.token.load(std::memory_order_acquire);
  const uint64_t start_ns = thread_->message.start_ns.load(std::memory_order_relaxed);
  const bool is_quick = message != Token::kNone && begin_ns - start_ns < slow_ns_;
  const Token outside = thread_->segment.load(std::memory_order_relaxed);
  const Token token = is_quick ? Token::kNone : message != Token::kNone ? message : outside;
  if (!enabled()) {
    Counters::Add(Counter::kDropsStopped);
  } else if (token == Token::kNone) {
    Counters::Add(Counter::kDropsNoSlowMessage);
  } else if (begin_ns < skip_until_ns_.load(std::memory_order_relaxed)) {
    Counters::Add(Counter::kDropsHandlerTooLong);
  } else {
    const auto overrun = static_cast<uint16_t>(std::min<uint64_t>(expiries - 1, UINT16_MAX));
    RawSample sample = {.token = token,
                        .wall_ns = begin_ns,
                        .cpu_ns = cpu_ns,
                        .depth = 0,
                        .thread_state = 0,
                        .truncation = Truncation::kNone,
                        .overrun = overrun};
    Record(&sample, context);
  }
}

// An alternate stack must hold the handler, and for a bad read in it another frame of the kernel
// and handler. The kernel's frame is measured: with SVE or AVX-512 it takes several KiB
// (AT_MINSIGSTKSZ). A signal that interrupts another handler on the stack says nothing about later
// ones. Counts the drop if there is none. Not inlined, as CountTime.
SF_EACH_SAMPLE [[gnu::noinline]] bool Sampler::HasRoom(const ucontext_t& context) {
  const auto base = reinterpret_cast<uintptr_t>(context.uc_stack.ss_sp);
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const uintptr_t interrupted = arch::RegistersOf(context).sp;
  const uintptr_t bytes = context.uc_stack.ss_size;
  const uintptr_t room = here - base;
  const bool is_in_use = (context.uc_stack.ss_flags & SS_DISABLE) == 0 && room < bytes;
  const bool is_nested = interrupted - base < bytes;
  const uintptr_t frame = is_nested ? interrupted - here : bytes - room;
  if (!is_in_use || room >= frame + 2 * kMostStackBytes) {
    cramped_in_a_row_ = 0;
    return true;
  }
  if (!is_nested && ++cramped_in_a_row_ == kMostCramped) {
    small_stack_ = {static_cast<uint32_t>(bytes), static_cast<uint32_t>(frame)};
    gate_.fetch_or(kCramped, std::memory_order_seq_cst);
  }
  Counters::Add(Counter::kDropsSmallStack);
  return false;
}

SF_EACH_SAMPLE void Sampler::Record(RawSample* sample, const ucontext_t& context) {
  if (!HasRoom(context)) return;
  FrameSink sink(nullptr, 0, 0, 0);
  if (!ring_.Begin(max_depth_, &sink)) {
    Counters::Add(Counter::kDropsRingFull);
    return;
  }
  // A message may have unloaded what an earlier one ran.
  if (sample->token != last_token_) sink.SetEarlier(0);
  last_token_ = sample->token;
  const arch::Registers registers = arch::RegistersOf(context);
  const uintptr_t runtime_thread = thread_->runtime_thread.load(std::memory_order_acquire);
  sample->thread_state = walk_(walker_, runtime_thread, &registers, &sink);
  sample->depth = static_cast<uint16_t>(sink.depth());
  sample->truncation = sink.truncation();
  if (copies_ != nullptr) [[unlikely]]
    copies_->Take(sample->wall_ns, context, runtime_thread);
  ring_.Commit(*sample);
  samples_.store(samples_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  CountTime(sample->wall_ns);
}

// Not inlined, so that its locals take no stack during the walk.
SF_EACH_SAMPLE [[gnu::noinline]] void Sampler::CountTime(uint64_t begin_ns) {
  const uint64_t end_ns = MonotonicNs();
  const uint64_t taken_ns = end_ns - begin_ns;
  handler_ns_.store(handler_ns_.load(std::memory_order_relaxed) + taken_ns,
                    std::memory_order_relaxed);
  const uint64_t interval = interval_cpu_ns_.load(std::memory_order_relaxed);
  if (interval != 0 && taken_ns > interval / 2)
    skip_until_ns_.store(end_ns + taken_ns, std::memory_order_relaxed);
}

}  // namespace stillframe::core
