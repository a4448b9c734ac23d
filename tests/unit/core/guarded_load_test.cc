// SPDX-License-Identifier: Apache-2.0
// Guarded loads against memory that really faults, and faults of other code.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/userfaultfd.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "arch/arch.h"
#include "src/core/guarded_memory.h"

// These tests fault on purpose: the sanitizer must leave the signals to the code under test.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "handle_segv=0:handle_sigbus=0"; }

namespace stillframe::core {
namespace {

const auto kPageBytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));

class GuardedLoad : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ASSERT_EQ(InstallFaultRecovery(sigaction), 0);
    ASSERT_TRUE(RecoveryWorks());
  }

  // All four widths agree that nothing can be read there, and leave the value alone.
  static void ExpectFault(uintptr_t address) {
    uint64_t u64 = 64;
    uint32_t u32 = 32;
    uint16_t u16 = 16;
    uint8_t u8 = 8;
    EXPECT_FALSE(arch::GuardedLoad64(address, &u64)) << std::hex << address;
    EXPECT_FALSE(arch::GuardedLoad32(address, &u32)) << std::hex << address;
    EXPECT_FALSE(arch::GuardedLoad16(address, &u16)) << std::hex << address;
    EXPECT_FALSE(arch::GuardedLoad8(address, &u8)) << std::hex << address;
    EXPECT_EQ(u64, 64U);
    EXPECT_EQ(u32, 32U);
    EXPECT_EQ(u16, 16U);
    EXPECT_EQ(u8, 8U);
  }
};

TEST_F(GuardedLoad, ReadsWhatIsThere) {
  const uint64_t word = 0x8899aabbccddeeffU;
  const auto address = reinterpret_cast<uintptr_t>(&word);
  uint64_t u64 = 0;
  uint32_t u32 = 0;
  uint16_t u16 = 0;
  uint8_t u8 = 0;
  ASSERT_TRUE(arch::GuardedLoad64(address, &u64));
  ASSERT_TRUE(arch::GuardedLoad32(address, &u32));
  ASSERT_TRUE(arch::GuardedLoad16(address, &u16));
  ASSERT_TRUE(arch::GuardedLoad8(address, &u8));
  EXPECT_EQ(u64, word);
  EXPECT_EQ(u32, 0xccddeeffU);
  EXPECT_EQ(u16, 0xeeffU);
  EXPECT_EQ(u8, 0xffU);
}

TEST_F(GuardedLoad, AnUnmappedAddressFails) {
  void* gone = mmap(nullptr, kPageBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(gone, MAP_FAILED);
  ASSERT_EQ(munmap(gone, kPageBytes), 0);
  ExpectFault(reinterpret_cast<uintptr_t>(gone));
  ExpectFault(0);
  ExpectFault(1);
  ExpectFault(UINTPTR_MAX - 7);
}

// The CPU raises a general protection fault without an address.
TEST_F(GuardedLoad, ANonCanonicalAddressFails) {
  if (sizeof(uintptr_t) < sizeof(uint64_t)) GTEST_SKIP() << "any 32 bits are an address";
  for (const uint64_t address :
       {0x8000'0000'0000'0000U, 0xdead'beef'dead'beefU, 0x0000'8000'0000'0000U})
    ExpectFault(static_cast<uintptr_t>(address));
}

TEST_F(GuardedLoad, ALoadThatCrossesIntoAnUnreadablePageFails) {
  auto* pages = static_cast<char*>(
      mmap(nullptr, 2 * kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(pages + kPageBytes, kPageBytes, PROT_NONE), 0);
  const uintptr_t edge = reinterpret_cast<uintptr_t>(pages) + kPageBytes;
  uint64_t u64 = 0;
  uint32_t u32 = 0;
  EXPECT_TRUE(arch::GuardedLoad64(edge - 8, &u64));
  EXPECT_FALSE(arch::GuardedLoad64(edge - 7, &u64));
  EXPECT_TRUE(arch::GuardedLoad32(edge - 4, &u32));
  EXPECT_FALSE(arch::GuardedLoad32(edge - 1, &u32));
  munmap(pages, 2 * kPageBytes);
}

// A mapping past the end of its file raises SIGBUS.
TEST_F(GuardedLoad, APageBehindTheEndOfItsFileFails) {
  const int file = static_cast<int>(syscall(SYS_memfd_create, "truncated", MFD_CLOEXEC));
  ASSERT_GE(file, 0);
  ASSERT_EQ(ftruncate(file, static_cast<off_t>(kPageBytes)), 0);
  void* page = mmap(nullptr, kPageBytes, PROT_READ, MAP_SHARED, file, 0);
  ASSERT_NE(page, MAP_FAILED);
  uint64_t value = 1;
  EXPECT_TRUE(arch::GuardedLoad64(reinterpret_cast<uintptr_t>(page), &value));
  EXPECT_EQ(value, 0U);
  ASSERT_EQ(ftruncate(file, 0), 0);
  ExpectFault(reinterpret_cast<uintptr_t>(page));
  munmap(page, kPageBytes);
  close(file);
}

// As under ART's collector that moves objects by userfaultfd (13 and later): each page of the heap
// raises SIGBUS until the collector has filled it.
class AwaitedPage {
 public:
  AwaitedPage() {
    page_ = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fd_ = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY));
    uffdio_api api = {};
    api.api = UFFD_API;
    api.features = UFFD_FEATURE_SIGBUS;
    uffdio_register range = {};
    range.range = {reinterpret_cast<uintptr_t>(page_), kPageBytes};
    range.mode = UFFDIO_REGISTER_MODE_MISSING;
    is_awaited_ = page_ != MAP_FAILED && fd_ >= 0 && ioctl(fd_, UFFDIO_API, &api) == 0 &&
                  ioctl(fd_, UFFDIO_REGISTER, &range) == 0;
  }
  ~AwaitedPage() {
    close(fd_);
    munmap(page_, kPageBytes);
  }
  AwaitedPage(const AwaitedPage&) = delete;
  AwaitedPage& operator=(const AwaitedPage&) = delete;

  bool is_awaited() const { return is_awaited_; }
  uintptr_t address() const { return reinterpret_cast<uintptr_t>(page_); }
  bool Fill(const void* with) const {
    uffdio_copy copy = {};
    copy.dst = address();
    copy.src = reinterpret_cast<uintptr_t>(with);
    copy.len = kPageBytes;
    return ioctl(fd_, UFFDIO_COPY, &copy) == 0;
  }

 private:
  void* page_ = nullptr;
  int fd_ = -1;
  bool is_awaited_ = false;
};

TEST_F(GuardedLoad, APageThatACollectorHasYetToFillFailsUntilItIsFilled) {
  const AwaitedPage page;
  if (!page.is_awaited()) GTEST_SKIP() << "this system allows no userfaultfd";
  for (int i = 0; i < 100; ++i) ExpectFault(page.address());
  std::vector<uint64_t> words(kPageBytes / sizeof(uint64_t), 42);
  ASSERT_TRUE(page.Fill(words.data()));
  uint64_t value = 0;
  EXPECT_TRUE(arch::GuardedLoad64(page.address(), &value));
  EXPECT_EQ(value, 42U);
}

TEST_F(GuardedLoad, SurvivesManyFaultsInARow) {
  uint64_t value = 0;
  uint32_t faults = 0;
  for (uintptr_t address = 0; address < 10'000; ++address)
    faults += arch::GuardedLoad64(address % kPageBytes, &value) ? 0U : 1U;
  EXPECT_EQ(faults, 10'000U);
}

// ---- Faults elsewhere in the program ----

constexpr uintptr_t kBadAddress = 0x18;

void PlainBadLoad() {
  volatile uintptr_t address = kBadAddress;
  volatile uintptr_t value = *reinterpret_cast<volatile uintptr_t*>(address);
  static_cast<void>(value);
}

void Reset(int signal, struct sigaction action) {
  if (sigaction(signal, &action, nullptr) != 0) _exit(99);
}

bool IsBlocked(int signal) {
  sigset_t mask;
  sigprocmask(SIG_SETMASK, nullptr, &mask);
  return sigismember(&mask, signal) == 1;
}

// Exits with 7 if the application's handler saw the right mask and fault, else with 8.
void ApplicationHandler(int signal, siginfo_t* info, void*) {
  const bool as_asked = IsBlocked(SIGUSR1) && !IsBlocked(SIGUSR2) && !IsBlocked(signal);
  const bool as_it_happened =
      signal == SIGSEGV && reinterpret_cast<uintptr_t>(info->si_addr) == kBadAddress;
  _exit(as_asked && as_it_happened ? 7 : 8);
}

void ChildWithApplicationHandler() {
  struct sigaction application = {};
  application.sa_sigaction = ApplicationHandler;
  application.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigaddset(&application.sa_mask, SIGUSR1);
  Reset(SIGSEGV, application);
  if (InstallFaultRecovery(sigaction) != 0 || !RecoveryWorks()) _exit(98);
  struct sigaction installed = {};
  sigaction(SIGSEGV, nullptr, &installed);
  constexpr int kFlags = SA_SIGINFO | SA_NODEFER | SA_RESTART | SA_ONSTACK;
  if ((installed.sa_flags & kFlags) != kFlags) _exit(97);
  if (sigismember(&installed.sa_mask, SIGUSR1) != 1) _exit(96);
  PlainBadLoad();
  _exit(95);
}

void OldStyleHandler(int signal) { _exit(signal == SIGSEGV ? 6 : 5); }

void ChildWithOldStyleHandler() {
  struct sigaction application = {};
  application.sa_handler = OldStyleHandler;
  Reset(SIGSEGV, application);
  if (InstallFaultRecovery(sigaction) != 0 || !RecoveryWorks()) _exit(98);
  PlainBadLoad();
  _exit(95);
}

void ChildWithoutHandler() {
  struct sigaction by_default = {};
  by_default.sa_handler = SIG_DFL;
  Reset(SIGSEGV, by_default);
  if (InstallFaultRecovery(sigaction) != 0 || !RecoveryWorks()) _exit(98);
  PlainBadLoad();
  _exit(95);
}

TEST(ForeignFault, ReachesTheHandlerBeforeWithItsMaskAndFlags) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer sets masks and flags of its own";
#endif
  EXPECT_EXIT(ChildWithApplicationHandler(), testing::ExitedWithCode(7), "");
}

TEST(ForeignFault, ReachesAHandlerThatTakesTheNumberOnly) {
  EXPECT_EXIT(ChildWithOldStyleHandler(), testing::ExitedWithCode(6), "");
}

void BusHandler(int signal, siginfo_t* info, void*) {
  _exit(signal == SIGBUS && info->si_code == BUS_ADRERR ? 7 : 8);
}

// The runtime handles its own faults on such pages.
void ChildOnAwaitedPage() {
  struct sigaction application = {};
  application.sa_sigaction = BusHandler;
  application.sa_flags = SA_SIGINFO;
  Reset(SIGBUS, application);
  if (InstallFaultRecovery(sigaction) != 0 || !RecoveryWorks()) _exit(98);
  const AwaitedPage page;
  uint64_t value = 0;
  if (!page.is_awaited()) _exit(97);
  if (arch::GuardedLoad64(page.address(), &value)) _exit(96);
  value = *reinterpret_cast<volatile uint64_t*>(page.address());
  _exit(95);
}

TEST(ForeignFault, OfThePageThatACollectorHasYetToFillReachesTheHandlerBefore) {
  if (!AwaitedPage().is_awaited()) GTEST_SKIP() << "this system allows no userfaultfd";
  EXPECT_EXIT(ChildOnAwaitedPage(), testing::ExitedWithCode(7), "");
}

TEST(ForeignFault, KillsAsBeforeWhereNobodyHandledIt) {
  EXPECT_EXIT(ChildWithoutHandler(), testing::KilledBySignal(SIGSEGV), "");
}

int Refuses(int, const struct sigaction*, struct sigaction*) {
  errno = EPERM;
  return -1;
}

TEST(FaultRecovery, SaysWhyItCannotBeInstalled) { EXPECT_EQ(InstallFaultRecovery(Refuses), EPERM); }

}  // namespace
}  // namespace stillframe::core
