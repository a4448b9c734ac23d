// SPDX-License-Identifier: Apache-2.0
// What a guard file says, and what follows from it: how processes with one configuration ended,
// and whether the next may sample.
//
// A record is written as a whole, twice in turn with a growing generation, so that one is whole
// whenever the process ends. Behind both lie two words that change while the process lives: what it
// does, and the mark of its death (src/core/death_mark.h). They count where they carry the
// generation of the record.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "src/core/death_mark.h"

namespace stillframe::health {

// From the least that a process does here to the most.
enum class Level : uint32_t { kNothing = 0, kRecording, kSampling };

// How processes ended that ran with one build of ART, one version of ours and one configuration.
struct Row {
  uint64_t key = 0;  // 0: no row
  uint64_t off_until_s = 0;
  uint64_t last_s = 0;  // when it changed
  uint32_t deaths = 0;  // by a fatal signal before they were healthy, or in our code
  uint32_t deaths_in_our_code = 0;
  uint32_t kills = 0;    // without one
  uint32_t strikes = 0;  // deaths since one was healthy
  uint32_t times_off = 0;
  uint32_t last_signal = 0;  // of the last death, as DeathMark has it
};

enum class Phase : uint32_t { kNone = 0, kArmed, kHealthy, kEnded };

struct Record {
  static constexpr size_t kRows = 6;

  uint32_t generation = 0;
  uint32_t pid = 0;
  uint64_t armed_key = 0;  // of the row that the death of this process is for; 0: none
  std::array<Row, kRows> rows = {};

  // Null when there is none.
  const Row* Find(uint64_t key) const;
  // In the place of the one that changed longest ago, where none is free.
  Row& FindOrAdd(uint64_t key, uint64_t now_s);
};

// Of a file: the newest whole record, and the words where they belong to it.
struct Contents {
  Record record;
  Phase phase = Phase::kNone;
  uint64_t death = 0;  // low bits of the mark; 0: none
};

constexpr size_t kCopyBytes = 512;
constexpr size_t kPhaseOffset = 2 * kCopyBytes;
constexpr size_t kDeathOffset = kPhaseOffset + sizeof(uint64_t);
constexpr size_t kFileBytes = kDeathOffset + sizeof(uint64_t);

// False where no record is whole: damaged, or not ours. An empty file is an empty record.
bool Decode(std::string_view file, Contents* contents);

// kCopyBytes, to be written at CopyOffset.
std::string Encode(const Record& record);
constexpr size_t CopyOffset(uint32_t generation) { return generation % 2 * kCopyBytes; }
uint64_t PhaseWord(uint32_t generation, Phase phase);
uint64_t DeathWord(uint32_t generation);

struct Limits {
  uint32_t deaths = 2;  // so many switch off
  uint64_t back_off_s = 86'400;
  static constexpr uint32_t kMostDoublings = 4;
};

// Counts how the process ended. Once, when it has. `others`: strikes for the same key that other
// processes of the application have seen; they count as well.
void Settle(const Limits& limits, uint64_t now_s, uint64_t others, Contents* contents);

// A clock that was put back leaves no row off for longer than its back-off.
void ClampToClock(const Limits& limits, uint64_t now_s, Record* record);

// FNV-1a, never 0.
uint64_t KeyOf(std::string_view text);

// A guard file, which one process at a time has: by a lock that the kernel takes back when the
// process ends, however it ends, and that no child inherits.
class GuardFile {
 public:
  GuardFile() = default;
  GuardFile(const GuardFile&) = delete;
  GuardFile& operator=(const GuardFile&) = delete;

  enum class Opened { kOurs, kInUse, kFailed };
  // Makes the file where there is none. What is damaged is empty, and told. A file that is ours
  // stays open for good.
  Opened Open(const std::string& path, std::string* why);
  bool is_open() const { return fd_ >= 0; }
  const Contents& contents() const { return contents_; }

  // Begins the next generation. Returns 0 or errno.
  int Write(Record record, Phase phase);
  int SetPhase(Phase phase) const;
  // Where the mark of this process's death goes; without our code's bounds.
  core::DeathFile ForDeath() const;

  // Another process's file; false where there is none to be read. `*is_dead`: nobody has it.
  // `*written_s`: when it was written last, since the epoch.
  static bool Read(const std::string& path, uint64_t now_s, Contents* contents, bool* is_dead,
                   uint64_t* written_s);

 private:
  bool IsOurs() const;

  int fd_ = -1;
  uint64_t device_ = 0;
  uint64_t inode_ = 0;
  Contents contents_;
};

}  // namespace stillframe::health
