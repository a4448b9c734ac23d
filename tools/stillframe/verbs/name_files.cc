// SPDX-License-Identifier: Apache-2.0
// Which mapping belongs to which version of an application.
#include "tools/stillframe/verbs/name_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "src/model/context_names.h"
#include "tools/stillframe/streams/byte_source.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/progress.h"

namespace stillframe::verbs {
namespace {

// The name of the version, or its code.
bool IsOfVersion(const model::Document& document, const std::string& version) {
  return std::any_of(
      document.context.begin(), document.context.end(),
      [&](const model::ContextEntry& entry) {
        const bool is_version = entry.group == model::context::kProcess &&
                                (entry.name == model::context::kVersionName ||
                                 entry.name == model::context::kVersionCode);
        return is_version &&
               (entry.state == model::ContextEntry::State::kNumber ? std::to_string(entry.number)
                                                                   : entry.text) == version;
      });
}

// Splits "1.2=mapping.txt", unless a file has the whole name.
std::pair<std::string, std::string> VersionAndPath(const std::string& argument) {
  const size_t equals = argument.find('=');
  std::error_code ignored;
  if (equals == std::string::npos || std::filesystem::exists(argument, ignored))
    return {"", argument};
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

}  // namespace

void AddMappingOption(CLI::App* verb, std::vector<std::string>* mappings) {
  verb->add_option(
          "--mapping", *mappings,
          "A mapping.txt of R8 or ProGuard that restores names; VERSION=FILE holds for dumps "
          "of that version only; may be repeated")
      ->option_text("[VERSION=]FILE")
      ->allow_extra_args(false)
      ->take_all();
}

bool NameFiles::Read(const std::vector<std::string>& arguments,
                     const mapping::TextSet& class_names) {
  for (const std::string& argument : arguments) {
    const auto [version, path] = VersionAndPath(argument);
    NameFile& file = files_.emplace_back();
    file.version = version;
    file.mapping.path = path;
    mapping::MappingReader reader(&class_names, &file.mapping);
    Progress progress("reading the mapping, bytes", 0);
    std::string error;
    const bool is_read = streams::ReadBlocks(
        path,
        [&](std::string_view block) {
          progress.Step(block.size());
          return reader.Feed(block);
        },
        &error);
    progress.Clear();
    if (!error.empty() || !is_read || !reader.Finish()) {
      Complain(path, error.empty() ? reader.error() : error);
      return false;
    }
  }
  return true;
}

bool NameFiles::Apply(const std::string& subject, model::Document* document) const {
  std::vector<const mapping::Mapping*> mappings;
  for (const NameFile& file : files_)
    if (file.version.empty() || IsOfVersion(*document, file.version))
      mappings.push_back(&file.mapping);
  if (files_.empty()) return true;
  if (mappings.empty()) {
    Complain(subject,
             "none of the mappings is for this version of the application; its names are "
             "left as they are, give the mapping of its build");
    return false;
  }
  const mapping::RestoreResult result = mapping::RestoreNames(mappings, document);
  if (!result.unknown_map_ids.empty()) {
    Complain(subject,
             fmt::format("was built with the mapping '{}', which is not among those given; "
                         "give the mapping of its build",
                         result.unknown_map_ids.front()));
    return false;
  }
  if (result.frames_named == 0 && !document->trees.empty()) {
    Complain(subject, "the mapping knows none of its classes; give the mapping of its build");
    return false;
  }
  return true;
}

}  // namespace stillframe::verbs
