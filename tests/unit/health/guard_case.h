// SPDX-License-Identifier: Apache-2.0
// Processes with a guard of their own in a folder that they share.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <sstream>
#include <string>

#include "src/core/clock.h"
#include "src/core/counters.h"
#include "src/core/guarded_memory.h"
#include "src/health/guard.h"

namespace stillframe::health {

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

  // The guard's state as the next process sees it. That process calls Suspend(), so its end is not
  // a sign.
  Seen Next() {
    auto* seen = static_cast<char*>(
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    In([seen](Guard* guard) {
      std::string text = std::to_string(static_cast<uint32_t>(guard->level())) + "\n";
      for (const Counter counter : {Counter::kGuardDeaths, Counter::kGuardDeathsInOurCode,
                                    Counter::kGuardKills, Counter::kGuardTimesOff}) {
        if (!core::Counters::IsShown(counter)) continue;
        text += core::Counters::NameOf(counter);
        text += " " + std::to_string(core::Counters::Read(counter)) + " ";
      }
      text += "\n" + guard->why() + "\n";
      seen[text.copy(seen, 4095)] = '\0';
      guard->Suspend();
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

  // SIGTERM if the next process has that level while so many others live.
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

inline void Fault() {
  volatile int* nowhere = nullptr;
  asm volatile("" : "+r"(nowhere));
  *nowhere = 1;
}

}  // namespace stillframe::health
