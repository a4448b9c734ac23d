// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/verbs/fleet_input.h"

#include <fmt/format.h>
#include <malloc.h>

#include <chrono>
#include <set>

#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/input/archive.h"

namespace stillframe::verbs {
namespace {

namespace fs = std::filesystem;
using index::Counted;

std::string SubjectOf(const std::string& path, const std::string& name) {
  return name.empty() ? SubjectFor(path) : fmt::format("{}: {}", SubjectFor(path), name);
}

}  // namespace

bool MayBeRecord(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::string ending = path.extension().string();
  static const std::set<std::string> ours = {".json", ".sent", ".gz", ".sfdump"};
  const bool is_kept_back = name.starts_with("stillframe-") && !ours.contains(ending);
  return !name.starts_with('.') && !is_kept_back && ending != ".part" && ending != ".tmp";
}

std::string AddedText(const fleet::Added& added) {
  std::string text = fmt::format("added {}, {} and {}", Counted(added.records, "record"),
                                 Counted(added.sessions, "session"), Counted(added.dumps, "dump"));
  if (added.forgotten != 0)
    text += fmt::format("; {} of forgotten installs left out", index::Grouped(added.forgotten));
  if (added.refused != 0) text += fmt::format("; {} refused", Counted(added.refused, "file"));
  return text + "\n";
}

uint64_t NowMs() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                   std::chrono::system_clock::now().time_since_epoch())
                                   .count());
}

fleet::IngestionOptions FleetInput::Options() {
  // Each record takes and frees the same memory, which need not go back to the kernel meanwhile.
  constexpr int kKeptBytes = 64 << 20;
  mallopt(M_MMAP_THRESHOLD, kKeptBytes / 2);
  mallopt(M_TRIM_THRESHOLD, kKeptBytes);
  mallopt(M_TOP_PAD, kKeptBytes / 16);
  return {.packages = options_.packages, .now_ms = NowMs(), .documents = &documents_};
}

bool FleetInput::AddPath(const std::string& path, fleet::Ingestion* ingestion) {
  listener_.reading.Step();
  const std::string file = path == "-" ? "" : fs::path(path).filename().string();
  return input::ForEachFile(
      files_, path,
      [&](const std::string& name, std::string_view bytes) {
        if (!name.empty() && !MayBeRecord(name)) return true;
        return ingestion->Add(SubjectOf(path, name), name.empty() ? file : name, bytes);
      },
      [&](const std::string& name, const std::string& what) {
        listener_.Complain(SubjectOf(path, name), what);
      });
}

}  // namespace stillframe::verbs
