// SPDX-License-Identifier: Apache-2.0
#include "src/context/identity.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "src/context/proc_text.h"
#include "src/model/context_names.h"
#include "src/os/duration.h"
#include "src/os/file_text.h"

namespace stillframe::context {
namespace {

using model::ContextEntry;

constexpr const char* kInstallFile = "/stillframe-install";
constexpr size_t kInstallDigits = 16;
constexpr const char* kNotSaid = "the application did not annotate it";

int64_t NowMs(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1'000 + now.tv_nsec / static_cast<int64_t>(os::kNsPerMs);
}

// Letters and digits. Others, such as the separator "-", become "_".
std::string AsName(std::string_view id) {
  constexpr size_t kMost = 64;
  std::string name(id.substr(0, kMost));
  const auto is_kept = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  for (char& c : name)
    if (!is_kept(c)) c = '_';
  return name;
}

bool IsInstall(std::string_view text) {
  return text.size() == kInstallDigits &&
         std::ranges::all_of(
             text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string RandomInstall() {
  std::array<uint8_t, kInstallDigits / 2> bytes = {};
  const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  const ssize_t got = fd >= 0 ? read(fd, bytes.data(), bytes.size()) : 0;
  if (fd >= 0) close(fd);
  if (got != static_cast<ssize_t>(bytes.size())) return "";
  std::string id;
  for (const uint8_t byte : bytes) {
    id += "0123456789abcdef"[byte >> 4];
    id += "0123456789abcdef"[byte & 15];
  }
  return id;
}

void Set(std::string value, std::string_view absent, ContextEntry* entry) {
  entry->state = value.empty() ? ContextEntry::State::kAbsent : ContextEntry::State::kText;
  entry->text = value.empty() ? std::string(absent) : std::move(value);
}

std::string TextOf(const ContextEntry& entry) {
  if (entry.state == ContextEntry::State::kNumber) return std::to_string(entry.number);
  return entry.state == ContextEntry::State::kText ? entry.text : "";
}

bool IsEmulator(std::string_view hardware) {
  return hardware == "ranchu" || hardware == "goldfish" || hardware == "cutf_cvm";
}

}  // namespace

uint64_t ProcessStartMs(int32_t pid) {
  constexpr size_t kStatBytes = 1'024;
  std::string text;
  TaskStat stat;
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  if (os::ReadFileText(path.c_str(), kStatBytes, &text) != 0 || !ParseTaskStat(text, &stat) ||
      stat.state == 'Z' || stat.state == 'X')
    return 0;
  const auto ticks = static_cast<uint64_t>(std::max(sysconf(_SC_CLK_TCK), 1L));
  const auto up_ms = static_cast<int64_t>(stat.start_ticks * 1'000 / ticks);
  return static_cast<uint64_t>(
      std::max<int64_t>(NowMs(CLOCK_REALTIME) - NowMs(CLOCK_BOOTTIME) + up_ms, 1));
}

ContextEntry* Identity::Fact(std::string_view name) {
  return &*std::ranges::find(facts_, name, &ContextEntry::name);
}

void Identity::ReadInstall(const Setup& setup) {
  install_ = AsName(setup.app_install);
  if (!install_.empty() || setup.folder.empty())
    return Set(install_, "there is no folder for it", Fact("install"));
  const std::string path = setup.folder + kInstallFile;
  const std::string made = RandomInstall();
  std::string text;
  // If several processes start together, one makes it.
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  // On a full disk no empty file stays.
  if (fd >= 0 && write(fd, made.data(), made.size()) != static_cast<ssize_t>(made.size()))
    unlink(path.c_str());
  if (fd >= 0) close(fd);
  constexpr int kMostTimes = 10;
  for (int i = 0; i < kMostTimes && !IsInstall(text); ++i) {
    if (i != 0) os::SleepMs(1);
    if (os::ReadFileText(path.c_str(), kInstallDigits, &text) != 0) break;
  }
  int error = 0;
  if (!IsInstall(text)) {
    text = made;
    error = os::ReplaceFile(path, text);
  }
  if (error == 0) install_ = text;
  Set(install_, "it cannot be kept: " + std::string(strerror(error)), Fact("install"));
}

void Identity::Start(const Setup& setup) {
  const bool is_first = start_ms_ == 0;
  if (is_first) {
    for (size_t i = 0; i < kIdentityFacts; ++i) {
      facts_[i].group = model::context::kIdentity;
      facts_[i].name = kIdentityRows[i].name;
      const bool is_said = kIdentityRows[i].omit == model::OmitPart::kAnnotations;
      Set("", is_said ? kNotSaid : "the runtime was not asked", &facts_[i]);
    }
    start_ms_ = ProcessStartMs(getpid());
  }
  // A process has one install id from its first file on.
  if (install_.empty()) ReadInstall(setup);
  Set(setup.abi, "unknown", Fact("abi"));
  Set(setup.art_build_id, "libart has none", Fact("art_build_id"));
  Set(setup.library_build_id, "the library has none", Fact("library_build_id"));
  Set(setup.cohort, "unknown", Fact("cohort"));
  if (setup.app_version >= 0) Set(std::to_string(setup.app_version), "", Fact("version_code"));
}

void Identity::TakeRuntimeFacts(const std::vector<ContextEntry>& facts) {
  for (const ContextEntry& fact : facts) {
    const std::string text = TextOf(fact);
    if (fact.name == model::context::kPackage) has_runtime_facts_ = !text.empty();
    for (ContextEntry& own : facts_) {
      const bool is_known = own.state != ContextEntry::State::kAbsent;
      if (own.name == fact.name && (!is_known || !text.empty())) Set(text, fact.text, &own);
    }
    if (fact.name == model::context::kHardware)
      Set(text.empty() ? "" : std::to_string(IsEmulator(text) ? 1 : 0), fact.text,
          Fact("emulator"));
  }
}

std::string Identity::ProcessId(uint16_t omit) const {
  const bool is_omitted = (omit & model::BitOf(model::OmitPart::kInstall)) != 0;
  return (is_omitted || install_.empty() ? "x" : install_) + "-" + std::to_string(start_ms_) + "p" +
         std::to_string(getpid());
}

std::vector<ContextEntry> Identity::Describe(const model::Annotations& annotations,
                                             uint16_t omit) const {
  std::vector<ContextEntry> entries(facts_.begin(), facts_.end());
  for (size_t i = 0; i < kIdentityFacts; ++i) {
    ContextEntry& entry = entries[i];
    const auto said = std::ranges::find(annotations.entries, entry.name, &model::Annotation::name);
    if (said != annotations.entries.end() && kIdentityRows[i].omit == model::OmitPart::kAnnotations)
      Set(said->value, kNotSaid, &entry);
    if (entry.name == "id") Set(ProcessId(omit), "", &entry);
    if (entry.name == "oom_score_adj") {
      constexpr size_t kDigits = 16;
      std::string score;
      const int error = os::ReadFileText("/proc/self/oom_score_adj", kDigits, &score);
      score.erase(std::min(score.find('\n'), score.size()));
      Set(score, strerror(error), &entry);
    }
    if ((omit & model::BitOf(kIdentityRows[i].omit)) != 0)
      Set("", "left out by STILLFRAME_OMIT", &entry);
  }
  return entries;
}

}  // namespace stillframe::context
