// SPDX-License-Identifier: Apache-2.0
// stillframe store add PATH... --to STORE [--watch]
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/verbs/fleet_input.h"
#include "tools/stillframe/verbs/folder_watch.h"
#include "tools/stillframe/verbs/store_verbs.h"

namespace stillframe::verbs {
namespace {

struct AddOptions {
  std::string store;
  std::vector<std::string> inputs;
  DumpOptions dumps;
  bool watches = false;
};

std::sig_atomic_t volatile g_is_ended = 0;
void EndWatch(int) { g_is_ended = 1; }

bool AddAll(const std::vector<std::string>& paths, FleetInput* input, fleet::Ingestion* ingestion) {
  for (size_t i = 0; g_is_ended == 0 && i < paths.size(); ++i)
    if (!input->AddPath(paths[i], ingestion)) return false;
  return ingestion->Commit();
}

// Returns when the program is to end, a folder is lost or the store failed.
bool Follow(FolderWatch* watch, FleetInput* input, fleet::Ingestion* ingestion, size_t folders) {
  fmt::print("following {}; {}", index::Counted(folders, "folder"), AddedText(ingestion->added()));
  std::fflush(stdout);
  while (g_is_ended == 0 && watch->lost_folder().empty())
    if (!AddAll(watch->Wait(), input, ingestion)) return false;
  return true;
}

int AddFiles(const AddOptions& options) {
  std::vector<std::string> paths;
  std::unique_ptr<FolderWatch> watch;
  if (options.watches) {
    std::string error;
    watch = FolderWatch::Start(options.inputs, MayBeRecord, &error);
    if (!watch) {
      Complain(options.inputs.front(), error);
      return kExitBadData;
    }
    paths = watch->Present();
    std::signal(SIGINT, EndWatch);
    std::signal(SIGTERM, EndWatch);
  } else if (!FindFiles(options.inputs, MayBeRecord, "files", &paths)) {
    return kExitBadData;
  }
  FleetInput input(options.dumps);
  if (!input.ReadMappings()) return kExitBadData;
  const std::unique_ptr<fleet::Store> store = OpenStore(options.store, fleet::Access::kCreate);
  if (!store) return kExitBadData;
  fleet::Added added;
  if (!store->Add(input.Options(), [&](fleet::Ingestion* ingestion) {
        const bool is_stored =
            AddAll(paths, &input, ingestion) &&
            (!watch || Follow(watch.get(), &input, ingestion, options.inputs.size()));
        added = ingestion->added();
        return is_stored;
      })) {
    FailedIn(options.store, *store);
    Complain(fleet::Store::NameOf(options.store),
             "what was committed stays; add the same files again");
    return kExitBadData;
  }
  fmt::print("{}", AddedText(added));
  if (watch && !watch->lost_folder().empty()) {
    Complain(watch->lost_folder(), "was moved or removed, and is not followed any more");
    return kExitBadData;
  }
  return input.has_trouble() ? kExitBadData : kExitFine;
}

}  // namespace

void AddStoreAdd(CLI::App* group, Action* action) {
  auto options = std::make_shared<AddOptions>();
  CLI::App* verb = AddStoreVerb(group, "add", "Add records, sessions, dumps and other tools' files",
                                &options->store);
  verb->add_option("PATH", options->inputs,
                   "Files, folders, archives (tar, zip), JSON lines; - is standard input")
      ->required();
  verb->add_flag("--watch", options->watches,
                 "Follow the folders, not those in them, until SIGINT or SIGTERM");
  AddDumpOptions(verb, &options->dumps);
  AddAppOption(verb, &options->dumps);
  verb->footer("Example:\n  stillframe store add records/ --watch --to fleet.db");
  SetAction(verb, action, options, AddFiles);
}

}  // namespace stillframe::verbs
