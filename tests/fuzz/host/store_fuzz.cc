// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file that is added to a store: what was added is ranked, and adding it again
// changes nothing.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tools/stillframe/fleet/store.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/input/archive.h"
#include "tools/stillframe/input/disk_files.h"
#include "tools/stillframe/render/cause_ranking.h"

namespace {

using namespace stillframe;

class Checked : public input::Listener {
 public:
  void Complain(const std::string&, const std::string& what) override {
    if (what.empty()) std::abort();
  }
};

bool AddFile(const std::string& path, fleet::Store* store) {
  const input::DiskFiles files;
  Checked listener;
  const input::DocumentInput documents(files, &listener);
  return store->Add({.packages = {}, .now_ms = 1'800'000'000'000, .documents = &documents},
                    [&](fleet::Ingestion* ingestion) {
                      return input::ForEachFile(
                          files, path,
                          [&](const std::string& name, std::string_view bytes) {
                            return ingestion->Add("fuzz", name, bytes);
                          },
                          [&](const std::string& name, const std::string& what) {
                            listener.Complain(name, what);
                          });
                    });
}

// A zip may be given to the other verbs, too.
void ReadAsZip(std::string_view bytes) {
  if (!input::IsZip(bytes)) return;
  constexpr uint64_t kMostMemberBytes = 1 << 20;
  input::NamesInZip(bytes);
  input::ForEachInZip(
      bytes, kMostMemberBytes, [](const std::string&) { return true; },
      [](const std::string&, std::string_view member) {
        if (member.size() > kMostMemberBytes) std::abort();
        return true;
      },
      [](const std::string&, const std::string& what) {
        if (what.empty()) std::abort();
      });
}

std::string Ranked(fleet::Store* store) {
  fleet::RankOptions options;
  options.by = {"version", "network"};
  fleet::CauseRanking ranking;
  if (!store->Rank(options, &ranking)) std::abort();
  return render::CauseRankingText(ranking) + render::CauseRankingJson(ranking);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ReadAsZip({reinterpret_cast<const char*>(data), size});
  std::string path = "/tmp/store_fuzz_XXXXXX";
  const int file = mkstemp(path.data());
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  close(file);
  std::string error;
  const std::unique_ptr<fleet::Store> store = fleet::Store::OpenInMemory(&error);
  if (!store || !AddFile(path, store.get())) std::abort();
  const std::string once = Ranked(store.get());
  if (!AddFile(path, store.get()) || Ranked(store.get()) != once) std::abort();
  unlink(path.c_str());
  for (size_t begin = 0; begin < once.size();) {
    const size_t end = once.find('\n', begin);
    if (end == std::string::npos || !index::IsClean(once.substr(begin, end - begin))) std::abort();
    begin = end + 1;
  }
  return 0;
}
