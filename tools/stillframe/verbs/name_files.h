// SPDX-License-Identifier: Apache-2.0
// --mapping: the files that give dumps their names back.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "src/model/document.h"
#include "tools/stillframe/mapping/document_names.h"

namespace stillframe::verbs {

// The option of every verb that reads dumps: FILE, or VERSION=FILE for dumps of that version of the
// application only. May be given several times.
void AddMappingOption(CLI::App* verb, std::vector<std::string>* mappings);

// Mapping files, read for the classes of certain dumps only.
class NameFiles {
 public:
  // Complains and returns false if one of the files cannot be read or is no mapping file.
  bool Read(const std::vector<std::string>& arguments, const mapping::TextSet& class_names);

  // Gives the document its names. Complains and returns false if the mappings cannot be those of
  // the application: none knows a class of it, or the dump asks for another one.
  bool Apply(const std::string& subject, model::Document* document) const;

 private:
  struct NameFile {
    std::string version;  // "" holds for all
    mapping::Mapping mapping;
  };
  std::vector<NameFile> files_;
};

}  // namespace stillframe::verbs
