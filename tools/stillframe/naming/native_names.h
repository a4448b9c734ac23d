// SPDX-License-Identifier: Apache-2.0
// Gives a document's native frames the names, files and lines from symbol files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/model/document.h"
#include "src/model/thread_stacks.h"

namespace stillframe::naming {

// Finds a library's symbol files: in folders named by build id (.build-id/ab/cdef.debug), and in
// folders of unstripped libraries by the files' own build id. Follows a stripped file's
// .gnu_debuglink.
struct SymbolPaths {
  std::string path;   // the library, or its separate debugging information
  std::string debug;  // separate debugging information; "": `path` has its own
};

class SymbolFolders {
 public:
  // Searches all folders, at most kMaxFiles files. Unreadable files are skipped.
  explicit SymbolFolders(const std::vector<std::string>& folders);

  static constexpr size_t kMaxFiles = 200'000;

  // Nothing if no file belongs to that library. A library without a build id matches a file of the
  // same name that has none either.
  std::optional<SymbolPaths> Find(const model::Module& module) const;

  // Number of ELF files found.
  size_t files() const { return files_.size(); }

 private:
  struct File {
    std::string path;
    std::string build_id;
    bool has_debug_info = false;
    bool has_symbols = false;
    std::string link;  // .gnu_debuglink; "": none
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
  size_t frames = 0;  // total
  size_t named = 0;   // named from the folders
  std::vector<std::string>
      missing;  // libraries of frames without a file: "libc.so.6 (build id ..)"
};

// A frame becomes one frame for each function inlined at its place. Frames without a file stay
// unchanged.
NativeNames NameNativeFrames(const SymbolFolders& folders, model::Document* document);

}  // namespace stillframe::naming
