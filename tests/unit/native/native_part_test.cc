// SPDX-License-Identifier: Apache-2.0
// Threads in a system call, seen from outside: the walk must find the return address of each
// function.
#include "src/native/native_part.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "src/elf/loaded_modules.h"
#include "src/os/proc.h"

namespace stillframe::native {
namespace {

unwind::CodeModules& Modules() {
  static unwind::CodeModules modules;
  elf::OpenLoadedModules(&modules);
  return modules;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

// A thread that reads from a pipe, below three functions.
class Reader {
 public:
  Reader() {
    EXPECT_EQ(pipe(pipe_), 0);
    thread_ = std::thread([this] { Outermost(this); });
    while (tid_ == 0 || os::SchedulerState(tid_) != 'S') std::this_thread::yield();
  }
  ~Reader() {
    EXPECT_EQ(write(pipe_[1], "x", 1), 1);
    thread_.join();
    close(pipe_[0]);
    close(pipe_[1]);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  int32_t tid() const { return tid_; }
  // Innermost first; the frame of the first one's function is that of Innermost.
  const std::vector<uintptr_t>& return_addresses() const { return return_addresses_; }
  uintptr_t local_of_middle() const { return local_of_middle_; }
  walk::RuntimeFacts Facts() const {
    walk::RuntimeFacts facts;
    facts.modules = &Modules();
    facts.stack_low = local_of_middle_ - (64 << 10);
    facts.stack_high = local_of_middle_ + (64 << 10);
    return facts;
  }

 private:
  [[gnu::noinline]] static int Innermost(Reader* reader) {
    reader->Note(__builtin_return_address(0));
    char byte = 0;
    reader->tid_ = static_cast<int32_t>(syscall(SYS_gettid));
    const auto got = read(reader->pipe_[0], &byte, 1);
    return static_cast<int>(got) + byte;
  }
  [[gnu::noinline]] static int Middle(Reader* reader) {
    reader->Note(__builtin_return_address(0));
    volatile char room[300];
    room[7] = 1;
    reader->local_of_middle_ = reinterpret_cast<uintptr_t>(&room[7]);
    return Innermost(reader) + room[7];
  }
  [[gnu::noinline]] static int Outermost(Reader* reader) {
    reader->Note(__builtin_return_address(0));
    volatile int sink = 1;
    return Middle(reader) + sink;
  }
  void Note(const void* return_address) {
    return_addresses_.insert(return_addresses_.begin(),
                             reinterpret_cast<uintptr_t>(return_address));
  }

  int pipe_[2] = {};
  std::atomic<int32_t> tid_{0};
  std::vector<uintptr_t> return_addresses_;
  uintptr_t local_of_middle_ = 0;
  std::thread thread_;
};

KernelEntry EntryOf(int32_t tid) {
  KernelEntry entry;
  std::string text;
  char part[256] = {};
  FILE* const file = fopen(("/proc/self/task/" + std::to_string(tid) + "/syscall").c_str(), "re");
  if (file != nullptr && fgets(part, sizeof part, file) != nullptr) text = part;
  if (file != nullptr) fclose(file);
  if (!ParseKernelEntry(text, &entry)) entry = {};
  return entry;
}

// Return addresses of the frames found.
std::vector<uintptr_t> Found(const NativePart& part) {
  std::vector<uintptr_t> found;
  for (size_t i = 1; i < part.pcs.size(); ++i) found.push_back(part.pcs[i] + 1);
  return found;
}

// Frames of the C library around the system call may come in addition.
bool HasInOrder(const std::vector<uintptr_t>& found, const std::vector<uintptr_t>& expected) {
  return std::search(found.begin(), found.end(), expected.begin(), expected.end()) != found.end();
}

TEST(NativePart, EveryCallerOfASystemCallIsFound) {
  if (kIsSanitized) GTEST_SKIP() << "the sanitizer has a read() of its own";
  const Reader reader;
  const KernelEntry entry = EntryOf(reader.tid());
  if (entry.pc == 0) GTEST_SKIP() << "the kernel does not show where threads stand";
  const NativePart part = WalkNativePart(reader.Facts(), entry, 0);
  EXPECT_STREQ(part.absent, "");
  ASSERT_FALSE(part.pcs.empty());
  EXPECT_EQ(part.pcs[0], entry.pc);
  EXPECT_TRUE(HasInOrder(Found(part), reader.return_addresses()));
}

TEST(NativePart, EndsBelowTheManagedFrame) {
  if (kIsSanitized) GTEST_SKIP() << "the sanitizer has a read() of its own";
  const Reader reader;
  const KernelEntry entry = EntryOf(reader.tid());
  if (entry.pc == 0) GTEST_SKIP() << "the kernel does not show where threads stand";
  const NativePart part = WalkNativePart(reader.Facts(), entry, reader.local_of_middle());
  EXPECT_FALSE(part.is_truncated);
  ASSERT_FALSE(part.pcs.empty());
  // The function that holds the frame is left out, with all outside it: the last one found is the
  // one that it called, whose pc is not in the list of return addresses.
  const std::vector<uintptr_t> found = Found(part);
  for (const uintptr_t address : reader.return_addresses())
    EXPECT_EQ(std::count(found.begin(), found.end(), address), 0);
  const NativePart whole = WalkNativePart(reader.Facts(), entry, 0);
  ASSERT_LT(part.pcs.size(), whole.pcs.size());
  EXPECT_EQ(whole.pcs[part.pcs.size()] + 1, reader.return_addresses()[0]);
}

// A frame that depends on a register without a saved value is not guessed.
TEST(NativePart, UnknownRegistersAreNotGuessed) {
  const Reader reader;
  KernelEntry entry = EntryOf(reader.tid());
  if (entry.pc == 0) GTEST_SKIP() << "the kernel does not show where threads stand";
  // No word of an empty stack is a return address.
  std::vector<uintptr_t> stack(64, 0);
  walk::RuntimeFacts facts = reader.Facts();
  facts.stack_low = reinterpret_cast<uintptr_t>(stack.data());
  facts.stack_high = facts.stack_low + stack.size() * sizeof(uintptr_t);
  entry.sp = facts.stack_low + 16;
  const NativePart part = WalkNativePart(facts, entry, facts.stack_high - 8);
  EXPECT_EQ(part.pcs, std::vector<uintptr_t>{entry.pc});
  EXPECT_TRUE(part.is_truncated);
}

TEST(NativePart, CodeOfNoLibraryHasNoFrames) {
  walk::RuntimeFacts facts;
  facts.modules = &Modules();
  uintptr_t stack[16] = {};
  facts.stack_low = reinterpret_cast<uintptr_t>(stack);
  facts.stack_high = facts.stack_low + sizeof stack;
  const NativePart part = WalkNativePart(facts, {facts.stack_low, facts.stack_low}, 0);
  EXPECT_TRUE(part.pcs.empty());
  EXPECT_TRUE(part.is_truncated);
}

TEST(NativePart, AnotherThreadsStackIsNotRead) {
  const Reader reader;
  if (EntryOf(reader.tid()).pc == 0) GTEST_SKIP() << "the kernel does not show where threads stand";
  walk::RuntimeFacts facts = reader.Facts();
  facts.stack_high = facts.stack_low + 16;
  const NativePart part = ReadNativePart(facts, reader.tid(), 0);
  EXPECT_STREQ(part.absent, "it is on another stack than its own");
  EXPECT_TRUE(part.pcs.empty());
}

TEST(NativePart, AThreadThatIsNotThereHasNone) {
  walk::RuntimeFacts facts;
  facts.modules = &Modules();
  const NativePart part = ReadNativePart(facts, INT32_MAX, 0);
  EXPECT_STRNE(part.absent, "");
  EXPECT_TRUE(part.pcs.empty());
}

TEST(KernelEntryText, OnlyAPlaceIsRead) {
  KernelEntry entry;
  ASSERT_TRUE(ParseKernelEntry("202 0x1 0x2 0x3 0x4 0x5 0x6 0x7ffd10 0x55aa\n", &entry));
  EXPECT_EQ(entry.sp, 0x7ffd10U);
  EXPECT_EQ(entry.pc, 0x55aaU);
  ASSERT_TRUE(ParseKernelEntry("-1 0x7ffd10 0x55aa\n", &entry));
  for (const char* text : {"", "running\n", "0 0x0", "-1 0x0 0x0\n", "-1 0x7ffd10 0x55zz\n",
                           " 0x5 ", "-1 0x7ffd10 0x\n"})
    EXPECT_FALSE(ParseKernelEntry(text, &entry)) << text;
}

}  // namespace
}  // namespace stillframe::native
