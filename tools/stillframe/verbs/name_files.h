// SPDX-License-Identifier: Apache-2.0
// --mapping: files that restore a dump's names.
#pragma once

#include <string>
#include <vector>

#include "src/model/document.h"
#include "tools/stillframe/naming/mapping_reader.h"

namespace stillframe::verbs {

// Mapping files.
class NameFiles {
 public:
  // Reads them for these classes only; null: for all. Complains and returns false if a file cannot
  // be read or is not a mapping file.
  bool Read(const std::vector<std::string>& arguments, const naming::TextSet* class_names);

  // Restores the document's names. Complains and returns false if the mappings cannot be the
  // application's: none knows a class of it, or the dump requires another one.
  bool Apply(const std::string& subject, model::Document* document) const;

 private:
  struct NameFile {
    std::string version;  // "": all versions
    naming::Mapping mapping;
  };
  std::vector<NameFile> files_;
};

}  // namespace stillframe::verbs
