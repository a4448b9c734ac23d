// SPDX-License-Identifier: Apache-2.0
// --mapping: files that restore a dump's names.
#pragma once

#include <string>
#include <vector>

#include "src/model/document.h"
#include "tools/stillframe/input/byte_source.h"
#include "tools/stillframe/input/listener.h"
#include "tools/stillframe/naming/mapping_reader.h"

namespace stillframe::input {

// Mapping files.
class NameFiles {
 public:
  // Reads them for these classes only; null: for all. Complains and returns false if a file cannot
  // be read or is not a mapping file.
  bool Read(const Files& files, const std::vector<std::string>& arguments,
            const naming::TextSet* class_names, Listener* listener);

  // Restores the document's names. Complains and returns false if the mappings cannot be the
  // application's: none knows a class of it, or the dump requires another one.
  bool Apply(const std::string& subject, model::Document* document, Listener* listener) const;

 private:
  struct NameFile {
    std::string version;  // "": all versions
    naming::Mapping mapping;
  };
  std::vector<NameFile> files_;
};

}  // namespace stillframe::input
