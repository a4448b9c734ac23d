// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/name_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "src/model/context_names.h"
#include "tools/stillframe/index/known_code.h"
#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/input/byte_source.h"
#include "tools/stillframe/naming/document_names.h"

namespace stillframe::input {
namespace {

// `version` is the version's name or its code.
bool HasVersion(const model::Document& document, const std::string& version) {
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

// The R8 mapping that the application named; "": none.
std::string MapId(const model::Document& document) {
  for (const model::ContextEntry& entry : document.context)
    if (entry.group == model::context::kIdentity && entry.name == "map_id" &&
        entry.state == model::ContextEntry::State::kText)
      return entry.text;
  return "";
}

// Splits "1.2=mapping.txt", unless a file has that whole name.
std::pair<std::string, std::string> VersionAndPath(const std::string& argument) {
  const size_t equals = argument.find('=');
  std::error_code ignored;
  if (equals == std::string::npos || std::filesystem::exists(argument, ignored))
    return {"", argument};
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

// Whether a frame is of the application or its libraries, which its mapping names.
bool HasOwnClasses(const model::Document& document) {
  const model::FrameTable& frames = document.frames;
  for (model::FrameId id = 0; id < frames.size(); ++id) {
    const model::FrameKind kind = frames.At(id).kind;
    if (kind != model::FrameKind::kTruncated && kind != model::FrameKind::kNative &&
        !index::IsPlatformClass(frames.ClassName(id)))
      return true;
  }
  return false;
}

}  // namespace

bool NameFiles::Read(const Files& files, const std::vector<std::string>& arguments,
                     const naming::TextSet* class_names, Listener* listener) {
  for (const std::string& argument : arguments) {
    const auto [version, path] = VersionAndPath(argument);
    NameFile& file = files_.emplace_back();
    file.version = version;
    file.mapping.path = path;
    naming::MappingReader reader(class_names, &file.mapping);
    listener->BeginWork("reading the mapping, bytes", 0);
    std::string error;
    const bool is_read = ReadBlocks(
        files, path,
        [&](std::string_view block) {
          listener->Step(block.size());
          return reader.Feed(block);
        },
        &error);
    listener->EndWork();
    if (!error.empty() || !is_read || !reader.Finish()) {
      listener->Complain(path, error.empty() ? reader.error() : error);
      return false;
    }
  }
  return true;
}

bool NameFiles::Apply(const std::string& subject, model::Document* document,
                      Listener* listener) const {
  std::vector<const naming::Mapping*> mappings;
  const std::string map_id = MapId(*document);
  for (const NameFile& file : files_) {
    const std::string& id = file.mapping.map_id;
    // R8 gives short names anew in each build, so a mapping of another build names wrong methods. A
    // version that was named with the file is trusted, as is a mapping without an id.
    const bool is_right = file.version.empty()
                              ? map_id.empty() || id.empty() || naming::IsSameMapId(id, map_id)
                              : HasVersion(*document, file.version);
    if (is_right) mappings.push_back(&file.mapping);
  }
  if (files_.empty()) return true;
  if (mappings.empty()) {
    listener->Complain(subject,
                       "none of the mappings is for this version of the application; its names are "
                       "left as they are, give the mapping of its build");
    return false;
  }
  const bool has_own_classes = HasOwnClasses(*document);
  const naming::RestoreResult result = naming::RestoreNames(mappings, document);
  if (!result.unknown_map_ids.empty()) {
    listener->Complain(
        subject, fmt::format("was built with the mapping '{}', which is not among those given; "
                             "give the mapping of its build",
                             result.unknown_map_ids.front()));
    return false;
  }
  if (result.half_restored > 0) {
    listener->Complain(
        subject,
        fmt::format("{} {} half restored: another tool restored the class, and no range of the "
                    "mapping holds the line",
                    result.half_restored, result.half_restored == 1 ? "frame is" : "frames are"));
  }
  if (!result.knows_a_class && has_own_classes) {
    listener->Complain(
        subject, "the mapping names none of the classes of this dump; is it that of its build?");
    return false;
  }
  return true;
}

}  // namespace stillframe::input
