// SPDX-License-Identifier: Apache-2.0
// Gives the native frames of a document the names, files and lines that symbol files have for them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/model/document.h"
#include "src/model/thread_stacks.h"

namespace stillframe::naming {

// Finds the files that name a library's code: in folders by build id (.build-id/ab/cdef.debug) and
// in plain trees of unstripped libraries, by the build id that the files have; from a stripped one
// on by .gnu_debuglink.
struct SymbolPaths {
  std::string path;   // of the library, or of its debugging information alone
  std::string debug;  // of the debugging information that belongs to it; "" when it has its own
};

class SymbolFolders {
 public:
  // Looks through all of them, at most kMaxFiles. What is not readable is left out.
  explicit SymbolFolders(const std::vector<std::string>& folders);

  static constexpr size_t kMaxFiles = 200'000;

  // Nothing when no file is that library's. One without a build id is known by its file's name, and
  // only where the file has none either.
  std::optional<SymbolPaths> Find(const model::Module& module) const;

  // ELF files that were found.
  size_t files() const { return files_.size(); }

 private:
  struct File {
    std::string path;
    std::string build_id;
    bool has_debug_info = false;
    bool has_symbols = false;
    std::string link;  // .gnu_debuglink; "" without one
    uint32_t link_checksum = 0;
  };

  static bool Examine(const std::string& path, File* file);
  std::string LinkedTo(const File& file) const;

  std::vector<File> files_;
  std::multimap<std::string, size_t> by_build_id_;
  std::multimap<std::string, size_t> by_name_;
};

// "libshop.so" of "/data/app/base.apk!libshop.so".
std::string FileName(const std::string& path);

struct NativeNames {
  size_t frames = 0;  // that there were
  size_t named = 0;   // of them, by the folders
  std::vector<std::string>
      missing;  // libraries of frames without a file: "libc.so.6 (build id ..)"
};

// A frame becomes as many as there are functions inlined at its place. What no file names stays as
// it is.
NativeNames NameNativeFrames(const SymbolFolders& folders, model::Document* document);

}  // namespace stillframe::naming
