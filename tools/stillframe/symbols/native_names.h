// SPDX-License-Identifier: Apache-2.0
// Gives the native frames of a document the names, files and lines that symbol files have for them.
#pragma once

#include <string>
#include <vector>

#include "src/model/document.h"
#include "tools/stillframe/symbols/symbol_folders.h"

namespace stillframe::symbols {

struct NativeNames {
  size_t frames = 0;  // that there were
  size_t named = 0;   // of them, by the folders
  std::vector<std::string>
      missing;  // libraries of frames without a file: "libc.so.6 (build id ..)"
};

// A frame becomes as many as there are functions inlined at its place. What no file names stays as
// it is.
NativeNames NameNativeFrames(const SymbolFolders& folders, model::Document* document);

}  // namespace stillframe::symbols
