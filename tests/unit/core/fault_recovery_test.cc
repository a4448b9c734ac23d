// SPDX-License-Identifier: Apache-2.0
// Handlers that others install over the recovery, each case in a process of its own.
#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "arch/arch.h"
#include "src/core/guarded_memory.h"

namespace stillframe::core {
namespace {

struct sigaction g_before_reporter;
int g_reports = 0;

// Installed before ours, and the last to see a crash. The exit code says how often the reporter saw
// it first.
void AtFirst(int, siginfo_t*, void*) { _exit(10 + g_reports); }

void Reporter(int signal, siginfo_t* info, void* context) {
  if (++g_reports == 5) _exit(99);  // the handlers call each other in a circle
  g_before_reporter.sa_sigaction(signal, info, context);
}

template <size_t>
void Another(int, siginfo_t*, void*) {
  _exit(98);
}

struct sigaction ActionOf(void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  return action;
}

void StartReporter() {
  const struct sigaction reporter = ActionOf(Reporter);
  sigaction(SIGBUS, &reporter, &g_before_reporter);
}

void Start() {
  for (const int signal : {SIGSEGV, SIGBUS}) {
    const struct sigaction first = ActionOf(AtFirst);
    sigaction(signal, &first, nullptr);
  }
  if (InstallFaultRecovery(sigaction) != 0 || !RecoveryWorks()) _exit(97);
}

// A page of a file that has become shorter: the kernel answers with SIGBUS.
uintptr_t TruncatedPage() {
  const auto file = static_cast<int>(syscall(SYS_memfd_create, "truncated", 0));
  if (file < 0 || ftruncate(file, 4096) != 0) _exit(96);
  void* page = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, 0);
  if (page == MAP_FAILED || ftruncate(file, 0) != 0) _exit(96);
  return reinterpret_cast<uintptr_t>(page);
}

bool IsRecovered() {
  uint64_t value = 0;
  return !arch::GuardedLoad64(TruncatedPage(), &value);
}

[[noreturn]] void Crash() {
  static_cast<void>(*reinterpret_cast<volatile char*>(TruncatedPage()));
  _exit(95);
}

void ChildWithAReporterAfterUs() {
  Start();
  StartReporter();
  const FaultRecovery found = KeepFaultRecovery();
  if (!found.is_in_place || found.overtaken != reinterpret_cast<uintptr_t>(Reporter)) _exit(1);
  if (KeepFaultRecovery().overtaken != 0) _exit(2);
  if (!IsRecovered() || g_reports != 0) _exit(3);
  Crash();
}

void ChildWithAReporterThatIsRemoved() {
  Start();
  StartReporter();
  KeepFaultRecovery();
  sigaction(SIGBUS, &g_before_reporter, nullptr);
  const FaultRecovery found = KeepFaultRecovery();
  if (!found.is_in_place || found.overtaken != 0) _exit(1);
  if (!IsRecovered()) _exit(2);
  Crash();
}

// The reporter overwrites its previous handler with ours. It forwards to ours, which forwards to
// it.
void ChildWithAReporterThatStartsTwice() {
  Start();
  StartReporter();
  KeepFaultRecovery();
  StartReporter();
  KeepFaultRecovery();
  if (!IsRecovered()) _exit(1);
  Crash();
}

template <size_t... i>
void InstallAnotherEachTime(std::index_sequence<i...>) {
  constexpr std::array<void (*)(int, siginfo_t*, void*), sizeof...(i)> kAll = {Another<i>...};
  for (uint32_t times = 0; times < kAll.size(); ++times) {
    const struct sigaction another = ActionOf(kAll[times]);
    sigaction(SIGBUS, &another, nullptr);
    const FaultRecovery found = KeepFaultRecovery();
    if (found.is_in_place != (times < kMostTimesInFront)) _exit(1);
    if (!found.is_in_place && found.foreign != reinterpret_cast<uintptr_t>(kAll[times])) _exit(2);
    if (found.is_in_place && !IsRecovered()) _exit(3);
  }
  _exit(0);
}

void ChildWhereOthersComeAgainAndAgain() {
  Start();
  InstallAnotherEachTime(std::make_index_sequence<kMostTimesInFront + 2>());
}

sigjmp_buf g_out;
int g_jumps = 0;

void Jumper(int, siginfo_t*, void*) {
  ++g_jumps;
  siglongjmp(g_out, 1);
}

// Handlers that never return must not be taken for a circle.
void ChildWhoseHandlersAreLeftByLongjmp() {
  const struct sigaction jumper = ActionOf(Jumper);
  for (const int signal : {SIGSEGV, SIGBUS}) sigaction(signal, &jumper, nullptr);
  if (InstallFaultRecovery(sigaction) != 0 || !RecoveryWorks()) _exit(97);
  for (int i = 0; i < 20; ++i) {
    const uintptr_t page = i % 2 == 0 ? 16 : TruncatedPage();
    if (sigsetjmp(g_out, 1) == 0) static_cast<void>(*reinterpret_cast<volatile char*>(page));
    if (g_jumps != i + 1) _exit(1);
  }
  _exit(0);
}

void ChildWhereOneComesAgainAndAgain() {
  Start();
  const struct sigaction reporter = ActionOf(Reporter);
  for (int i = 0; i < 100; ++i) {
    sigaction(SIGBUS, &reporter, i == 0 ? &g_before_reporter : nullptr);
    if (!KeepFaultRecovery().is_in_place || !IsRecovered()) _exit(1);
  }
  Crash();
}

// The signal chain owns SIGSEGV: a handler installed past the chain gets the faults meant for us.
void ChildWhereSegvIsTaken() {
  Start();
  const struct sigaction another = ActionOf(Another<0>);
  sigaction(SIGSEGV, &another, nullptr);
  const FaultRecovery found = KeepFaultRecovery();
  _exit(!found.is_in_place && found.foreign == reinterpret_cast<uintptr_t>(Another<0>) ? 0 : 1);
}

// The signal chain of each release, as far as it answers for SIGBUS: art/sigchainlib/sigchain.cc
// passes on to the kernel what ART has not claimed, and ART claims SIGBUS only where its collector
// uses userfaultfd with that feature (runtime/fault_handler.cc, InstallSigbusHandler, of 14 and of
// the updates of ART that 12 and 13 get). SIGSEGV is claimed by all.
struct Release {
  const char* name;
  bool claims_sigbus;
};
constexpr Release kReleases[] = {
    {"Android 8", false},
    {"Android 9", false},
    {"Android 10", false},
    {"Android 11", false},
    {"Android 12", false},
    {"Android 12 with ART of 14, userfaultfd", true},
    {"Android 13", false},
    {"Android 13 with ART of 14, userfaultfd", true},
    {"Android 14 without userfaultfd", false},
    {"Android 14, userfaultfd", true},
    {"Android 15, userfaultfd", true},
    {"Android 16 without userfaultfd", false},
    {"Android 16, userfaultfd", true},
};

bool g_claims_sigbus = false;
struct sigaction g_behind_chain;

// The chain's own handler: ART's special handlers did not take the fault.
void OfChain(int signal, siginfo_t* info, void* context) {
  g_behind_chain.sa_sigaction(signal, info, context);
}

int SigactionOfChain(int signal, const struct sigaction* action, struct sigaction* before) {
  if (signal != SIGBUS || !g_claims_sigbus) return sigaction(signal, action, before);
  if (before != nullptr) *before = g_behind_chain;
  if (action != nullptr) g_behind_chain = *action;
  return 0;
}

void ChildWithAReporterOn(const Release& release) {
  const struct sigaction first = ActionOf(AtFirst);
  g_claims_sigbus = release.claims_sigbus;
  g_behind_chain = first;
  const struct sigaction chain = ActionOf(OfChain);
  sigaction(SIGBUS, release.claims_sigbus ? &chain : &first, nullptr);
  sigaction(SIGSEGV, &first, nullptr);
  if (InstallFaultRecovery(sigaction) != 0 || !RecoveryWorks()) _exit(97);
  const struct sigaction reporter = ActionOf(Reporter);
  SigactionOfChain(SIGBUS, &reporter, &g_before_reporter);
  const FaultRecovery found = KeepFaultRecovery();
  if (!found.is_in_place || (found.overtaken != 0) == release.claims_sigbus) _exit(1);
  if (!IsRecovered() || g_reports != 0) _exit(2);
  Crash();
}

TEST(KeepFaultRecovery, KeepsFaultsUnderTheSignalChainOfEachRelease) {
  for (const Release& release : kReleases)
    EXPECT_EXIT(ChildWithAReporterOn(release), testing::ExitedWithCode(11), "") << release.name;
}

TEST(KeepFaultRecovery, GoesInFrontOfAReporterThatSeesItsCrashOnce) {
  EXPECT_EXIT(ChildWithAReporterAfterUs(), testing::ExitedWithCode(11), "");
}

TEST(KeepFaultRecovery, OfAReporterThatIsRemovedNothingIsLeft) {
  EXPECT_EXIT(ChildWithAReporterThatIsRemoved(), testing::ExitedWithCode(10), "");
}

TEST(KeepFaultRecovery, DoesNotGoRoundWithAReporterThatStartsTwice) {
  EXPECT_EXIT(ChildWithAReporterThatStartsTwice(), testing::ExitedWithCode(11), "");
}

TEST(KeepFaultRecovery, GoesInFrontABoundedNumberOfTimes) {
  EXPECT_EXIT(ChildWhereOthersComeAgainAndAgain(), testing::ExitedWithCode(0), "");
}

TEST(KeepFaultRecovery, GoesInFrontOfTheSameOneAsOftenAsItComes) {
  EXPECT_EXIT(ChildWhereOneComesAgainAndAgain(), testing::ExitedWithCode(11), "");
}

TEST(FaultRecovery, OutlivesHandlersThatAreLeftByLongjmp) {
  EXPECT_EXIT(ChildWhoseHandlersAreLeftByLongjmp(), testing::ExitedWithCode(0), "");
}

uintptr_t g_page = 0;
struct sigaction g_before_front;

// As the chain, which has ART's handler: the load can be repeated.
void Mender(int, siginfo_t*, void*) { mprotect(reinterpret_cast<void*>(g_page), 4096, PROT_READ); }

void Behind(int, siginfo_t*, void*) { _exit(1); }

int KernelUnderAChain(int signal, const struct sigaction* action, struct sigaction* before) {
  if (action != nullptr || signal != SIGSEGV) return sigaction(signal, action, before);
  *before = ActionOf(Mender);
  return 0;
}

void Front(int signal, siginfo_t* info, void* context) {
  g_before_front.sa_sigaction(signal, info, context);
}

// The second fault reaches ours with the siginfo of the first, deeper on the stack. It is for the
// chain too, not for who is behind the chain.
void ChildWithAHandlerInFrontSince() {
  const struct sigaction behind = ActionOf(Behind);
  sigaction(SIGSEGV, &behind, nullptr);
  if (InstallFaultRecovery(KernelUnderAChain) != 0 || !RecoveryWorks()) _exit(97);
  void* const page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  g_page = reinterpret_cast<uintptr_t>(page);
  const struct sigaction front = ActionOf(Front);
  for (int i = 0; i < 2; ++i) {
    if (i == 1) sigaction(SIGSEGV, &front, &g_before_front);
    mprotect(page, 4096, PROT_NONE);
    static_cast<void>(*reinterpret_cast<volatile char*>(g_page));
  }
  _exit(0);
}

TEST(FaultRecovery, AFaultAfterAnotherHandlerCameInFrontIsNotTheOneBefore) {
  EXPECT_EXIT(ChildWithAHandlerInFrontSince(), testing::ExitedWithCode(0), "");
}

TEST(KeepFaultRecovery, LeavesSegvToWhoTookItPastTheChain) {
  EXPECT_EXIT(ChildWhereSegvIsTaken(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace stillframe::core
