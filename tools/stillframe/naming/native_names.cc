// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/naming/native_names.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "tools/stillframe/naming/symbol_file.h"

namespace stillframe::naming {
namespace {

namespace fs = std::filesystem;
using model::Module;
using model::NativeFrame;

struct ElfEnd {
  void operator()(Elf* elf) const { elf_end(elf); }
};

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }

 private:
  int fd_;
};

std::string Hex(const uint8_t* bytes, size_t count) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4U];
    text += kDigits[bytes[i] & 15U];
  }
  return text;
}

// The checksum in .gnu_debuglink is zlib's, over the whole file.
bool HasChecksum(const std::string& path, uint32_t checksum) {
  const Descriptor file(path);
  std::array<unsigned char, 1U << 16U> part;
  uLong sum = crc32(0, nullptr, 0);
  ssize_t got = 1;
  while (got > 0) {
    got = read(file.get(), part.data(), part.size());
    if (got > 0) sum = crc32(sum, part.data(), static_cast<uInt>(got));
  }
  return got == 0 && sum == checksum;
}

// Space for native frames that each become several, with names of a kilobyte.
model::FrameTableLimits RoomForNative(const model::FrameTable& frames, size_t native) {
  const uint64_t more = std::min<uint64_t>(native * 16 + 64, 1U << 20U);
  return {.max_frames = frames.size() + static_cast<uint32_t>(more),
          .max_strings = frames.string_count() + static_cast<uint32_t>(more * 2),
          .max_string_bytes = static_cast<uint32_t>(
              std::min<uint64_t>(frames.string_bytes() + more * 1024, 256U << 20U))};
}

// Build id and address of a tree's native frame. False if its signature has none.
bool ReadIdentity(std::string_view signature, std::string* build_id, uint64_t* address) {
  const size_t plus = signature.find("+0x");
  if (plus == std::string_view::npos) return false;
  const char* const begin = signature.data() + plus + 3;
  const char* const end = signature.data() + signature.size();
  const std::from_chars_result result = std::from_chars(begin, end, *address, 16);
  *build_id = signature.substr(0, plus);
  return result.ec == std::errc() && result.ptr == end;
}

class Namer {
 public:
  explicit Namer(const SymbolFolders& folders) : folders_(folders) {}

  // For frames of threads, which identify their library by number.
  void NameAll(const std::vector<Module>& modules, std::vector<NativeFrame>* frames) {
    std::vector<NativeFrame> named;
    for (const NativeFrame& frame : *frames) {
      // Frames that already have names keep them.
      const bool is_named = !frame.place.empty() || frame.is_inlined;
      std::vector<CodePlace> places;
      if (frame.module != 0 && frame.module <= modules.size() && !is_named)
        places = PlacesOf(modules[frame.module - 1], frame.address);
      if (places.empty()) {
        ++result_.frames;
        named.push_back(frame);
        continue;
      }
      for (size_t i = 0; i < places.size(); ++i) {
        const std::string& function = places[i].function;
        named.push_back({frame.module, frame.address, function.empty() ? frame.symbol : function,
                         places[i].place, i + 1 < places.size()});
      }
    }
    *frames = std::move(named);
  }

  // For frames of trees, which identify their library by build id. Rebuilds the trees.
  void NameTrees(model::Document* document) {
    const model::FrameTable& old = document->frames;
    size_t native = 0;
    for (model::FrameId id = 0; id < old.size(); ++id)
      native += old.At(id).kind == model::FrameKind::kNative ? 1U : 0U;
    if (native == 0) return;
    model::FrameTable frames(RoomForNative(old, native));
    std::vector<std::vector<model::FrameId>> named(old.size());  // by frame of `old`
    for (model::FrameId id = 0; id < old.size(); ++id) named[id] = NameOne(old, id, &frames);
    for (model::TraceTree& tree : document->trees) tree = Rebuilt(tree, named);
    if (document->thread_stacks)
      for (model::ThreadStack& stack : document->thread_stacks->stacks)
        for (model::FrameId& id : stack.frames) id = named[id].front();
    document->frames = std::move(frames);
  }

  NativeNames Result() { return std::move(result_); }

 private:
  // Innermost first.
  std::vector<model::FrameId> NameOne(const model::FrameTable& old, model::FrameId id,
                                      model::FrameTable* frames) {
    const model::Frame& frame = old.At(id);
    const std::string_view library = old.String(frame.class_name);
    const std::string_view signature = old.String(frame.signature);
    Module module;
    uint64_t address = 0;
    std::vector<CodePlace> places;
    if (frame.kind == model::FrameKind::kNative && old.String(frame.source_file).empty() &&
        ReadIdentity(signature, &module.build_id, &address)) {
      module.path = library;
      places = PlacesOf(module, address);
      result_.frames += places.empty() ? 1U : 0U;
    }
    std::vector<model::FrameId> ids;
    for (const CodePlace& place : places) {
      const size_t colon = std::min(place.place.rfind(':'), place.place.size());
      int32_t line = model::kLineUnknown;
      if (colon < place.place.size())
        line = static_cast<int32_t>(std::strtol(place.place.c_str() + colon + 1, nullptr, 10));
      const std::string_view method =
          place.function.empty() ? old.String(frame.method_name) : place.function;
      ids.push_back(frames->InternFrame(library, method, signature,
                                        FileName(place.place.substr(0, colon)), line, frame.kind));
    }
    if (ids.empty())
      ids.push_back(frames->InternFrame(library, old.String(frame.method_name), signature,
                                        old.String(frame.source_file), frame.line, frame.kind));
    return ids;
  }

  static model::TraceTree Rebuilt(const model::TraceTree& tree,
                                  const std::vector<std::vector<model::FrameId>>& named) {
    model::TraceTree rebuilt(tree.token(), model::kHostTreeLimits);
    std::vector<model::FrameId> stack;
    tree.ForEachStack(
        [&](uint32_t, std::span<const model::FrameId> raw, const model::Sample& sample) {
          stack.clear();
          for (const model::FrameId id : raw)
            stack.insert(stack.end(), named[id].rbegin(), named[id].rend());
          rebuilt.Add(stack, sample);
        });
    rebuilt.SetHistory(tree.interval_scale(), tree.samples_added(), tree.truncated_stacks());
    return rebuilt;
  }

  // Counts the frame if it has places.
  std::vector<CodePlace> PlacesOf(const Module& module, uint64_t address) {
    const SymbolFile* const file = FileOf(module);
    std::vector<CodePlace> places;
    if (file != nullptr) places = file->PlacesOf(address);
    result_.frames += places.empty() ? 0U : 1U;
    result_.named += places.empty() ? 0U : 1U;
    return places;
  }

  const SymbolFile* FileOf(const Module& module) {
    const auto [entry, is_new] = files_.try_emplace({module.build_id, FileName(module.path)});
    if (!is_new) return entry->second.get();
    if (const std::optional<SymbolPaths> paths = folders_.Find(module))
      entry->second = SymbolFile::Open(paths->path, paths->debug);
    if (entry->second == nullptr) {
      const std::string& id = module.build_id;
      result_.missing.push_back(FileName(module.path) +
                                (id.empty() ? " (no build id)" : " (build id " + id + ")"));
    }
    return entry->second.get();
  }

  const SymbolFolders& folders_;
  // By build id and name; null: not found.
  std::map<std::pair<std::string, std::string>, std::unique_ptr<SymbolFile>> files_;
  NativeNames result_;
};

}  // namespace

std::string FileName(const std::string& path) {
  return path.substr(path.find_last_of("/!") + 1);  // from 0 without a separator
}

bool SymbolFolders::Examine(const std::string& path, File* file) {
  const Descriptor descriptor(path);
  std::array<char, SELFMAG> magic;
  if (descriptor.get() < 0 || pread(descriptor.get(), magic.data(), SELFMAG, 0) != SELFMAG ||
      memcmp(magic.data(), ELFMAG, SELFMAG) != 0)
    return false;
  const std::unique_ptr<Elf, ElfEnd> elf(elf_begin(descriptor.get(), ELF_C_READ_MMAP, nullptr));
  size_t names = 0;
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF) return false;
  file->path = path;
  const void* id = nullptr;
  if (const ssize_t bytes = dwelf_elf_gnu_build_id(elf.get(), &id); bytes > 0)
    file->build_id = Hex(static_cast<const uint8_t*>(id), static_cast<size_t>(bytes));
  GElf_Word checksum = 0;
  if (const char* const link = dwelf_elf_gnu_debuglink(elf.get(), &checksum)) {
    file->link = link;
    file->link_checksum = checksum;
  }
  if (elf_getshdrstrndx(elf.get(), &names) != 0) return true;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type == SHT_NOBITS) continue;
    const char* const name = elf_strptr(elf.get(), names, header.sh_name);
    if (name == nullptr) continue;
    file->has_debug_info |= strcmp(name, ".debug_info") == 0 || strcmp(name, ".zdebug_info") == 0;
    file->has_symbols |= header.sh_type == SHT_SYMTAB || strcmp(name, ".gnu_debugdata") == 0;
  }
  return true;
}

SymbolFolders::SymbolFolders(const std::vector<std::string>& folders) {
  elf_version(EV_CURRENT);
  size_t seen = 0;
  for (const std::string& folder : folders) {
    std::error_code error;
    constexpr auto kOptions = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator entry(folder, kOptions, error), end;
         !error && entry != end && seen < kMaxFiles; entry.increment(error)) {
      std::error_code ignored;
      File file;
      ++seen;
      if (!entry->is_regular_file(ignored) || !Examine(entry->path().string(), &file)) continue;
      if (!file.build_id.empty()) by_build_id_.emplace(file.build_id, files_.size());
      by_name_.emplace(FileName(file.path), files_.size());
      files_.push_back(std::move(file));
    }
  }
}

// Searches all folders by name, because the linked file may be outside the library's folder.
std::string SymbolFolders::LinkedTo(const File& file) const {
  if (file.link.empty()) return {};
  const auto [first, last] = by_name_.equal_range(FileName(file.link));
  for (auto other = first; other != last; ++other) {
    const File& linked = files_[other->second];
    if (linked.has_debug_info && HasChecksum(linked.path, file.link_checksum)) return linked.path;
  }
  return {};
}

std::optional<SymbolPaths> SymbolFolders::Find(const model::Module& module) const {
  const bool has_id = !module.build_id.empty();
  const auto [first, last] = has_id ? by_build_id_.equal_range(module.build_id)
                                    : by_name_.equal_range(FileName(module.path));
  const File* best = nullptr;
  std::string best_debug;
  int best_rank = -1;
  for (auto candidate = first; candidate != last; ++candidate) {
    const File& file = files_[candidate->second];
    if (!has_id && !file.build_id.empty()) continue;
    std::string debug = file.has_debug_info ? "" : LinkedTo(file);
    const int rank = file.has_debug_info || !debug.empty() ? 2 : file.has_symbols ? 1 : 0;
    if (rank <= best_rank) continue;
    best = &file;
    best_debug = std::move(debug);
    best_rank = rank;
  }
  if (best == nullptr) return std::nullopt;
  return SymbolPaths{best->path, best_debug};
}

NativeNames NameNativeFrames(const SymbolFolders& folders, model::Document* document) {
  Namer namer(folders);
  if (document->thread_stacks)
    for (model::ThreadStack& stack : document->thread_stacks->stacks)
      namer.NameAll(document->modules, &stack.native);
  namer.NameTrees(document);
  return namer.Result();
}

}  // namespace stillframe::naming
