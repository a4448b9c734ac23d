// SPDX-License-Identifier: Apache-2.0
// Processes that really die, one after the other and beside each other, and what the next one may.
#include "src/guard/guard.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "src/core/clock.h"
#include "src/core/guarded_memory.h"

// These processes die on purpose: the sanitizer must leave the signals to the code under test.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0";
}

namespace stillframe::guard {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;

struct Seen {
  Level level;
  std::map<std::string, uint64_t> counters;
  std::string why;
};

class GuardTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/guard-XXXXXX";
    folder_ = mkdtemp(name);
    setup_.folder = folder_;
    setup_.process = "com.example";
    setup_.about = "art 1";
    setup_.limits = {2, 1'000};
    setup_.healthy_ns = 60 * kSecondNs;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Runs `then` in a process that has a guard of its own; how that process ended.
  template <typename Then>
  int In(Then then, bool with_recovery = true) {
    const pid_t child = fork();
    if (child == 0) {
      auto* guard = new Guard;
      guard->Open(setup_, begun_ns_);
      if (with_recovery) core::InstallFaultRecovery(sigaction);
      then(guard);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }

  // As the next process sees it, which is no sign itself.
  Seen Next() {
    auto* seen = static_cast<char*>(
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    In([seen](Guard* guard) {
      std::string text = std::to_string(static_cast<uint32_t>(guard->level())) + "\n";
      std::vector<model::NamedCount> counters;
      guard->Describe(&counters);
      for (const auto& counter : counters)
        text += counter.name + " " + std::to_string(counter.value) + " ";
      text += "\n" + guard->why() + "\n";
      seen[text.copy(seen, 4095)] = '\0';
      guard->Rest();
    });
    std::istringstream lines(seen);
    Seen result = {};
    uint32_t level = 0;
    lines >> level;
    result.level = static_cast<Level>(level);
    std::string line;
    std::getline(lines, line);
    std::getline(lines, line);
    std::istringstream words(line);
    std::string name;
    uint64_t value = 0;
    while (words >> name >> value) result.counters[name] = value;
    std::getline(lines, result.why);
    munmap(seen, 4096);
    return result;
  }

  // SIGTERM where the next one has that level beside so many that live.
  int BesideOthers(int lives, Level level) {
    return In([this, lives, level](Guard*) {
      const bool is_last = lives == 1;
      const bool is_so = is_last ? Next().level == level : BesideOthers(lives - 1, level) != 0;
      if (is_so) raise(SIGTERM);
    });
  }

  size_t Files() const {
    size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      struct stat status = {};
      EXPECT_EQ(stat(entry.path().c_str(), &status), 0);
      EXPECT_EQ(status.st_mode & 0777, 0600U);
      EXPECT_LE(status.st_size, static_cast<off_t>(kFileBytes));
      ++files;
    }
    return files;
  }

  // As if all files had been written so many seconds from now.
  void SetTimes(int64_t from_now_s) const {
    const auto now = std::filesystem::file_time_type::clock::now();
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      std::filesystem::last_write_time(entry.path(), now + std::chrono::seconds(from_now_s));
  }

  std::string folder_;
  Guard::Setup setup_;
  uint64_t begun_ns_ = core::MonotonicNs();
};

void Fault() {
  volatile int* nowhere = nullptr;
  asm volatile("" : "+r"(nowhere));
  *nowhere = 1;
}

TEST_F(GuardTest, EachFatalSignalCountsAsItIsAndAKillDoesNot) {
  uint64_t deaths = 0;
  setup_.limits.deaths = 100;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP, SIGSYS}) {
    EXPECT_EQ(In([signal](Guard*) { raise(signal); }), signal);
    EXPECT_EQ(Next().counters["guard_deaths"], ++deaths) << signal;
  }
  EXPECT_EQ(In([](Guard*) { abort(); }), SIGABRT);
  EXPECT_EQ(In([](Guard*) { Fault(); }), SIGSEGV);
  EXPECT_EQ(In([](Guard*) { Fault(); }, false), SIGSEGV) << "without the recovery over it";
  EXPECT_EQ(In([](Guard*) { raise(SIGKILL); }), SIGKILL);
  EXPECT_EQ(In([](Guard*) { raise(SIGTERM); }), SIGTERM);
  const Seen seen = Next();
  EXPECT_EQ(seen.counters.at("guard_deaths"), deaths + 3);
  EXPECT_EQ(seen.counters.at("guard_kills"), 2U);
  EXPECT_EQ(seen.level, Level::kSampling);
  EXPECT_EQ(Files(), 1U);
}

TEST_F(GuardTest, TheSecondDeathSwitchesOffForThisConfigurationOnly) {
  In([](Guard*) { Fault(); });
  EXPECT_EQ(Next().level, Level::kSampling);
  In([](Guard*) { Fault(); });
  const Seen seen = Next();
  EXPECT_EQ(seen.level, Level::kRecording);
  EXPECT_NE(seen.why.find("2 died of a signal with sampling on, the last of signal 11;"),
            std::string::npos)
      << seen.why;
  setup_.about = "art 2";
  EXPECT_EQ(Next().level, Level::kSampling);
  setup_.about = "art 1";
  EXPECT_EQ(Next().level, Level::kRecording);
  setup_.process = "com.example:other";
  EXPECT_EQ(Next().level, Level::kRecording) << "what one process learned holds for all";
  EXPECT_EQ(Files(), 2U);
  In([](Guard*) { Fault(); });
  In([](Guard*) { Fault(); });
  EXPECT_EQ(Next().level, Level::kNothing) << "nor did the tap do it any good";
}

TEST_F(GuardTest, ItIsTriedAgainAfterTheBackOff) {
  setup_.limits = {1, 1};
  In([](Guard*) { Fault(); });
  EXPECT_EQ(Next().level, Level::kRecording);
  sleep(2);
  EXPECT_EQ(Next().level, Level::kSampling);
}

TEST_F(GuardTest, ADeathOnAThreadOfOursIsOurs) {
  setup_.limits.deaths = 100;
  In([](Guard*) {
    pthread_setname_np(pthread_self(), "stillframe-q");
    Fault();
  });
  const Seen seen = Next();
  EXPECT_EQ(seen.counters.at("guard_deaths_in_our_code"), 1U);
  EXPECT_EQ(seen.level, Level::kNothing) << "it would do so again without sampling";
}

// As where the runtime takes itself down in its report of an abort, and our collector trips over
// it.
TEST_F(GuardTest, WhatOurThreadsDieOfInAProcessThatDiesIsNoCause) {
  setup_.limits.deaths = 100;
  struct sigaction takes_down = {};
  struct sigaction before = {};
  takes_down.sa_handler = [](int) {
    pthread_setname_np(pthread_self(), "stillframe-q");
    Fault();
  };
  sigaction(SIGABRT, &takes_down, &before);
  EXPECT_EQ(In([](Guard*) { raise(SIGABRT); }), SIGSEGV);
  sigaction(SIGABRT, &before, nullptr);
  const Seen seen = Next();
  EXPECT_EQ(seen.level, Level::kSampling);
  EXPECT_EQ(seen.counters.at("guard_deaths"), 1U);
  EXPECT_EQ(seen.counters.at("guard_deaths_in_our_code"), 0U);
}

TEST_F(GuardTest, WhatTheProcessSurvivesIsNoDeath) {
  setup_.limits.deaths = 1;
  // A handler that mends what was wrong, as a collector's does, and one that was there before.
  static void* page;
  page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct sigaction mends = {};
  struct sigaction before = {};
  mends.sa_handler = [](int) { mprotect(page, 4096, PROT_READ | PROT_WRITE); };
  sigaction(SIGSEGV, &mends, &before);
  const int end = In([](Guard*) {
    *static_cast<volatile int*>(page) = 1;
    raise(SIGKILL);
  });
  sigaction(SIGSEGV, &before, nullptr);
  EXPECT_EQ(end, SIGKILL);
  const Seen seen = Next();
  EXPECT_EQ(seen.level, Level::kSampling);
  EXPECT_EQ(seen.counters.at("guard_deaths"), 0U);
  munmap(page, 4096);
}

TEST_F(GuardTest, AHandlerThatMakesRoomForTheDefaultDies) {
  setup_.limits.deaths = 1;
  struct sigaction reports = {};
  struct sigaction before = {};
  reports.sa_handler = [](int signal) { ::signal(signal, SIG_DFL); };
  sigaction(SIGSEGV, &reports, &before);
  EXPECT_EQ(In([](Guard*) { Fault(); }), SIGSEGV);
  sigaction(SIGSEGV, &before, nullptr);
  EXPECT_EQ(Next().counters["guard_deaths"], 1U);
}

TEST_F(GuardTest, AChildsDeathIsItsOwn) {
  setup_.limits.deaths = 1;
  EXPECT_EQ(In([](Guard* guard) {
              if (fork() == 0) Fault();
              wait(nullptr);
              guard->Rest();
            }),
            0);
  EXPECT_EQ(Next().level, Level::kSampling);
  EXPECT_EQ(Next().counters["guard_deaths"], 0U);
}

TEST_F(GuardTest, AFileThatTookTheNumberIsLeftAlone) {
  setup_.limits.deaths = 1;
  const std::string other = folder_ + "/other";
  In([&other](Guard*) {
    for (int fd = 3; fd < 64; ++fd) close(fd);
    const int fd = open(other.c_str(), O_RDWR | O_CREAT, 0600);
    for (int i = 0; i < 16; ++i) dup(fd);
    Fault();
  });
  EXPECT_EQ(std::filesystem::file_size(other), 0U);
}

// A component that closes what is not its own: the number is another file's by the next tick.
TEST_F(GuardTest, AFileThatTookTheNumberIsLeftAloneByAHealthyProcessToo) {
  const std::string other = folder_ + "/other";
  In([&other, this](Guard* guard) {
    for (int fd = 3; fd < 64; ++fd) close(fd);
    const int fd = open(other.c_str(), O_RDWR | O_CREAT, 0600);
    for (int i = 0; i < 16; ++i) dup(fd);
    guard->Tick(begun_ns_ + 61 * kSecondNs);
    guard->Rest();
  });
  EXPECT_EQ(std::filesystem::file_size(other), 0U);
}

TEST_F(GuardTest, WhatAProcessThatNeverRunsAgainHasLearnedEndsAfterItsTime) {
  setup_.limits = {1, 100};
  setup_.process = "com.example:gone";
  In([](Guard*) { Fault(); });
  setup_.process = "com.example";
  EXPECT_EQ(Next().level, Level::kRecording);
  SetTimes(-101);
  EXPECT_EQ(Next().level, Level::kSampling);
  // As by a clock that was ahead: from the next start on they are of today.
  SetTimes(1'000'000);
  EXPECT_EQ(Next().level, Level::kRecording);
  const auto now = std::filesystem::file_time_type::clock::now();
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    EXPECT_LE(entry.last_write_time(), now + std::chrono::seconds(2));
}

TEST_F(GuardTest, TwoOfOneNameHaveAFileEach) {
  In([this](Guard*) {
    EXPECT_EQ(Next().counters["guard_kills"], 0U) << "the first lives";
    raise(SIGKILL);
  });
  EXPECT_EQ(Files(), 2U);
  EXPECT_EQ(Next().counters["guard_kills"], 1U);
}

TEST_F(GuardTest, DeathsOfAllProcessesOfTheApplicationCountTogether) {
  setup_.limits.deaths = 3;
  for (const char* process : {"com.example", "com.example:push", "com.example:web"}) {
    setup_.process = process;
    EXPECT_EQ(Next().level, Level::kSampling) << process;
    In([](Guard*) { Fault(); });
  }
  for (const char* process :
       {"com.example:new", "com.example", "com.example:push", "com.example"}) {
    setup_.process = process;
    const Seen seen = Next();
    EXPECT_EQ(seen.level, Level::kRecording) << process;
    EXPECT_TRUE(seen.why.starts_with("of earlier processes 3 died")) << seen.why;
  }
  setup_.about = "art 2";
  EXPECT_EQ(Next().level, Level::kSampling);
}

TEST_F(GuardTest, AfterTheBackOffOneDeathOfAnyOfThemIsEnough) {
  setup_.limits = {3, 1};
  for (const char* process : {"com.example", "com.example:push", "com.example:web"}) {
    setup_.process = process;
    In([](Guard*) { Fault(); });
  }
  EXPECT_EQ(Next().level, Level::kRecording);
  sleep(2);
  EXPECT_EQ(Next().level, Level::kSampling);
  In([](Guard*) { Fault(); });
  EXPECT_EQ(Next().level, Level::kRecording);
}

TEST_F(GuardTest, WhoIsOneTooManyOfANameHasNoGuardAndDoesNotSample) {
  for (const auto& [lives, level] : {std::pair(16, Level::kRecording), {15, Level::kSampling}})
    EXPECT_EQ(BesideOthers(lives, level), SIGTERM) << lives;
}

TEST_F(GuardTest, ADamagedFileIsEmptyAndAForeignOneIsNoGuard) {
  setup_.limits.deaths = 1;
  In([](Guard*) { Fault(); });
  std::string path;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) path = entry.path();
  std::ofstream(path, std::ios::trunc) << "nonsense";
  EXPECT_EQ(Next().level, Level::kSampling);
  EXPECT_EQ(Next().counters["guard_deaths"], 0U);
  In([](Guard*) { Fault(); });
  EXPECT_EQ(Next().level, Level::kRecording) << "it works again";
  std::filesystem::remove(path);
  std::filesystem::create_symlink("/dev/null", path);
  EXPECT_EQ(Next().level, Level::kRecording);
}

TEST_F(GuardTest, WithoutRoomForItsFileThereIsNoSampling) {
  const rlimit none = {0, RLIM_INFINITY};
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  const Seen seen = Next();
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(seen.level, Level::kRecording);
  EXPECT_NE(seen.why.find("File too large"), std::string::npos) << seen.why;
  EXPECT_EQ(Files(), 0U);
  EXPECT_EQ(Next().level, Level::kSampling) << "there is room again";
}

TEST_F(GuardTest, NoGuardWithoutAFolderOrWhereItIsSwitchedOff) {
  setup_.limits.deaths = 0;
  In([](Guard*) { Fault(); });
  EXPECT_EQ(Files(), 0U);
  setup_.limits.deaths = 1;
  setup_.folder = "";
  EXPECT_EQ(Next().level, Level::kSampling);
}

TEST_F(GuardTest, WithoutAFolderForItsFileThereIsNoSampling) {
  setup_.folder = "/nonexistent";
  const Seen seen = Next();
  EXPECT_EQ(seen.level, Level::kRecording);
  EXPECT_NE(seen.why.find("No such file"), std::string::npos) << seen.why;
  setup_.limits.deaths = 0;
  EXPECT_EQ(Next().level, Level::kSampling) << "no guard is asked for";
}

TEST_F(GuardTest, HealthyStoppedAndResumed) {
  setup_.limits.deaths = 1;
  In([this](Guard* guard) {
    guard->Tick(begun_ns_ + 59 * kSecondNs);
    guard->Tick(begun_ns_ + 60 * kSecondNs);
    Fault();
  });
  EXPECT_EQ(Next().level, Level::kSampling) << "healthy";
  setup_.healthy_ns = 1;
  In([](Guard*) { Fault(); });
  EXPECT_EQ(Next().level, Level::kSampling) << "healthy, and nobody was awake to say so";
  setup_.healthy_ns = 60 * kSecondNs;
  In([](Guard* guard) {
    guard->Rest();
    Fault();
  });
  EXPECT_EQ(Next().level, Level::kSampling) << "stopped";
  In([this](Guard* guard) {
    guard->Rest();
    guard->Resume(begun_ns_ + 100 * kSecondNs);
    guard->Tick(begun_ns_ + 159 * kSecondNs);
    Fault();
  });
  EXPECT_EQ(Next().level, Level::kRecording) << "armed again";
}

}  // namespace
}  // namespace stillframe::guard
