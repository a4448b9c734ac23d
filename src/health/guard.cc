// SPDX-License-Identifier: Apache-2.0
#include "src/health/guard.h"

#include <dirent.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "src/core/clock.h"
#include "src/core/counters.h"
#include "src/core/death_mark.h"
#include "src/os/condition.h"
#include "src/os/duration.h"
#include "src/os/file_text.h"
#include "src/os/log.h"
#include "src/os/signal_action.h"
#include "src/os/time_text.h"

namespace stillframe::health {
namespace {

constexpr const char* kPrefix = "stillframe-guard-";
constexpr uint32_t kSlots = 16;                       // concurrent processes of one name
constexpr uint32_t kMostFiles = 32;                   // read from one folder
constexpr uint64_t kAliveNs = 30 * os::kNsPerSecond;  // alive so long after its mark: survived

struct OwnCode {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};

// Bounds of our code, only if the library is ours alone: a host that links us may crash by itself.
int FindOwnCode(dl_phdr_info* info, size_t, void* found) {
  const char* slash = strrchr(info->dlpi_name, '/');
  const auto own = reinterpret_cast<uintptr_t>(&FindOwnCode);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0 || own - begin >= part.p_memsz)
      continue;
    if (strstr(slash != nullptr ? slash : info->dlpi_name, "stillframe") != nullptr)
      *static_cast<OwnCode*>(found) = {begin, begin + part.p_memsz};
    return 1;
  }
  return 0;
}

std::string Hex(uint64_t number) {
  char text[20];
  snprintf(text, sizeof text, "%08x", static_cast<unsigned>(number ^ number >> 32));
  return text;
}

// Strikes in that file since a process was healthy; 0 if they are too old.
uint64_t StrikesOf(const Contents& contents, uint64_t key, uint64_t since_s) {
  const Row* row = contents.record.Find(key);
  const bool is_healthy =
      contents.phase == Phase::kHealthy && contents.record.armed_key == key;  // alive
  return row == nullptr || is_healthy || row->last_s < since_s ? 0 : row->strikes;
}

uint64_t NowS() { return core::CpuClockNs(CLOCK_REALTIME) / os::kNsPerSecond; }

}  // namespace

uint64_t Guard::KeyAt(Level level) const {
  return level == Level::kNothing
             ? 0
             : KeyOf((level == Level::kSampling ? "sampling\n" : "recording\n") + setup_.about);
}

Level Guard::Open(const Setup& setup, uint64_t now_ns) {
  setup_ = setup;
  if (setup.folder.empty() || setup.limits.deaths == 0) return level_;
  const uint64_t now_s = NowS();
  OpenFile(setup.folder, kPrefix + Hex(KeyOf(setup.process)));
  std::vector<Seen> all = ReadOthers(setup.folder, now_s);
  all.push_back({path_, file_.contents(), now_s, file_.is_open()});
  SettleAll(now_s, &all);
  for (Seen& seen : all) {
    ClampToClock(setup_.limits, seen.written_s, &seen.contents.record);
    Judge(seen.contents.record, seen.path, now_s);
  }
  if (file_.is_open()) {
    Arm(all.back().contents, now_ns);
    PublishCounters();
  }
  return level_;
}

// Without a file a death would be forgotten: disable sampling.
void Guard::ContinueWithoutFile(const std::string& why) {
  const std::string text = "no crash-loop guard at " + path_ + ": " + why;
  os::Log("%s", text.c_str());
  if (level_ != Level::kSampling) return;
  level_ = Level::kRecording;
  why_ = text;
}

void Guard::OpenFile(const std::string& folder, const std::string& stem) {
  std::string why;
  for (uint32_t i = 0; i < kSlots; ++i) {
    path_ = folder;
    path_.append("/").append(stem).append("-").append(std::to_string(i));
    why.clear();
    const GuardFile::Opened opened = file_.Open(path_, &why);
    if (opened == GuardFile::Opened::kInUse) continue;
    if (opened == GuardFile::Opened::kFailed)
      ContinueWithoutFile(why);
    else if (!why.empty())
      os::Log("the guard %s: %s", path_.c_str(), why.c_str());
    return;
  }
  ContinueWithoutFile(std::to_string(kSlots) + " processes of this name have one already");
}

std::vector<Guard::Seen> Guard::ReadOthers(const std::string& folder, uint64_t now_s) const {
  std::vector<Seen> others;
  DIR* entries = opendir(folder.c_str());
  if (entries == nullptr) return others;
  uint32_t read = 0;
  while (const dirent* entry = readdir(entries)) {
    const std::string path = folder + "/" + entry->d_name;
    if (strncmp(entry->d_name, kPrefix, strlen(kPrefix)) != 0 || path == path_) continue;
    Seen other = {path, {}, now_s, false};
    bool is_dead = false;
    if (++read > kMostFiles) break;
    if (!GuardFile::Read(path, now_s, &other.contents, &is_dead, &other.written_s)) continue;
    // A dying process may still hold the lock, so a death mark counts as dead too. The time of its
    // end is taken from the file: the process may never run again.
    other.is_over = is_dead || other.contents.death != 0;
    others.push_back(std::move(other));
  }
  closedir(entries);
  return others;
}

// Deaths count together, in whichever process of the application they were.
void Guard::SettleAll(uint64_t now_s, std::vector<Seen>* all) {
  const uint64_t longest_s = setup_.limits.back_off_s << Limits::kMostDoublings;
  const uint64_t since_s = now_s - std::min(now_s, longest_s);
  const std::vector<Seen> before = *all;
  for (size_t i = 0; i < all->size(); ++i) {
    Seen& seen = (*all)[i];
    uint64_t others = 0;
    for (size_t other = 0; other < before.size(); ++other) {
      Contents contents = before[other].contents;
      if (before[other].is_over) Settle(setup_.limits, before[other].written_s, 0, &contents);
      if (other != i) others += StrikesOf(contents, seen.contents.record.armed_key, since_s);
    }
    if (seen.is_over) Settle(setup_.limits, seen.written_s, others, &seen.contents);
    for (const Level level : {Level::kSampling, Level::kRecording})
      if (const Row* row = seen.contents.record.Find(KeyAt(level)))
        deaths_[static_cast<size_t>(level)] += row->deaths;
  }
}

void Guard::Judge(const Record& record, const std::string& path, uint64_t now_s) {
  for (const Level level : {Level::kSampling, Level::kRecording}) {
    const Row* row = record.Find(KeyAt(level));
    if (row != nullptr && row->off_until_s > now_s) Learn(level, *row, path);
  }
}

// `row` disables `level`.
void Guard::Learn(Level level, const Row& row, const std::string& path) {
  const bool is_ours = (row.last_signal & core::kDeathIsOurs) != 0;
  const bool in_handler = (row.last_signal & core::kDeathInHandler) != 0;
  // Without sampling only the handler of our code is gone. A death elsewhere in it disables all.
  const Level below =
      level == Level::kSampling && (in_handler || !is_ours) ? Level::kRecording : Level::kNothing;
  if (below > level_ || (below == level_ && row.off_until_s <= off_until_s_)) return;
  level_ = below;
  off_until_s_ = row.off_until_s;
  why_ = "of earlier processes " + std::to_string(deaths_[static_cast<size_t>(level)]) +
         " died of a signal with " + (level == Level::kSampling ? "sampling" : "recording") +
         " on, the last of signal " + std::to_string(row.last_signal & core::kDeathSignalBits) +
         (is_ours ? " in our code" : "") + "; off until " + os::TimeText(row.off_until_s) +
         " (delete " + path + " to try again)";
}

void Guard::Arm(Contents contents, uint64_t now_ns) {
  if (const Row* row = contents.record.Find(KeyAt(Level::kSampling))) row_ = *row;
  contents.record.armed_key = KeyAt(level_);
  phase_ = level_ == Level::kNothing ? Phase::kNone : Phase::kArmed;
  if (const int error = file_.Write(contents.record, phase_)) {
    ContinueWithoutFile(strerror(error));
    // Leave no empty file.
    if (contents.record.generation == 0) unlink(path_.c_str());
    phase_ = Phase::kNone;
    return;
  }
  os::KeepNewestFiles(setup_.folder, kPrefix, "", kMostFiles);
  const auto kernel_sigaction = os::KernelSigaction();
  if (phase_ == Phase::kNone || kernel_sigaction == nullptr) return;
  SetHealthyAt(now_ns + setup_.healthy_ns);
  core::DeathFile death = file_.ForDeath();
  OwnCode code;
  dl_iterate_phdr(FindOwnCode, &code);
  death.code_begin = code.begin;
  death.code_end = code.end;
  core::WatchForDeath(death, sigaction, kernel_sigaction);
}

void Guard::Tick(uint64_t now_ns) {
  core::UnmarkOld(kAliveNs);
  const os::MutexLock lock(&mutex_);
  if (phase_ != Phase::kArmed || now_ns < healthy_at_ns_) return;
  is_healthy_ = true;
  SetPhase(Phase::kHealthy);
}

void Guard::SetHealthyAt(uint64_t at_ns) {
  healthy_at_ns_ = at_ns;
  core::SetHealthyAt(at_ns);
}

void Guard::Suspend() {
  const os::MutexLock lock(&mutex_);
  if (phase_ != Phase::kNone) SetPhase(Phase::kEnded);
}

void Guard::Resume(uint64_t now_ns) {
  const os::MutexLock lock(&mutex_);
  if (phase_ != Phase::kEnded) return;
  SetHealthyAt(now_ns + setup_.healthy_ns);
  SetPhase(is_healthy_ ? Phase::kHealthy : Phase::kArmed);
}

void Guard::SetPhase(Phase phase) {
  phase_ = phase;
  file_.SetPhase(phase);
}

void Guard::PublishCounters() {
  const auto publish = [this](Counter counter, core::Counters::Reader read) {
    core::Counters::Publish(counter, read, this);
  };
  publish(
      Counter::kGuardDeaths,
      [](void* guard) -> uint64_t {
        return static_cast<Guard*>(guard)->deaths_[static_cast<size_t>(Level::kSampling)];
      });
  publish(
      Counter::kGuardDeathsInOurCode,
      [](void* guard) -> uint64_t { return static_cast<Guard*>(guard)->row_.deaths_in_our_code; });
  publish(
      Counter::kGuardKills,
      [](void* guard) -> uint64_t { return static_cast<Guard*>(guard)->row_.kills; });
  publish(Counter::kGuardTimesOff,
          [](void* guard) -> uint64_t { return static_cast<Guard*>(guard)->row_.times_off; });
}

}  // namespace stillframe::health
