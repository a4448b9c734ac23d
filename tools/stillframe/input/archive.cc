// SPDX-License-Identifier: Apache-2.0
// libarchive: archive_read(3), archive_read_data(3). The format "raw" is any other file.
#include "tools/stillframe/input/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "tools/stillframe/input/byte_source.h"

namespace stillframe::input {
namespace {

struct Closer {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

// Passes JSON lines on, whole lines at a time, as long as the text is larger than a block of them.
// The rest is left in `*bytes`. False if `take` was.
bool TakeLines(archive* reader, const TakeFile& take, std::string* bytes) {
  bytes->clear();
  for (;;) {
    constexpr size_t kBlock = 4 << 20;
    const size_t before = bytes->size();
    bytes->resize(before + kBlock);
    const la_ssize_t got = archive_read_data(reader, bytes->data() + before, kBlock);
    bytes->resize(before + (got > 0 ? static_cast<size_t>(got) : 0));
    const size_t cut = bytes->rfind("}\n{");
    if (got <= 0 || cut == std::string::npos || !bytes->starts_with('{')) return true;
    if (!take("", std::string_view(*bytes).substr(0, cut + 2))) return false;
    bytes->erase(0, cut + 2);
  }
}

std::string WhatIsWrong(archive* reader) {
  const char* what = archive_error_string(reader);
  return fmt::format("is damaged ({}); send it again", what == nullptr ? "no reason" : what);
}

// Unpacks a member that is itself packed. False with `*error`.
bool UnpackGzip(uint64_t max_bytes, std::string* bytes, std::string* error) {
  if (!IsGzip(*bytes)) return true;
  std::string unpacked;
  Unpacker unpacker;
  const auto add = [&](std::string_view more) {
    unpacked += more;
    return unpacked.size() <= max_bytes;
  };
  error->clear();
  if (!unpacker.Feed(*bytes, add, error) || !unpacker.Finish(error)) {
    if (error->empty()) *error = "is too large unpacked";
    return false;
  }
  *bytes = std::move(unpacked);
  return true;
}

// Adds the member whose header was read to `*bytes`. False with `*error`: a part of a member is not
// the file.
bool ReadMember(archive* reader, uint64_t max_bytes, std::string* bytes, std::string* error) {
  constexpr size_t kFirstBlock = 8 << 10;  // more than most records; the space is filled first
  constexpr size_t kBlock = 64 << 10;
  for (size_t block = kFirstBlock;; block = std::min(2 * block, kBlock)) {
    const size_t before = bytes->size();
    if (before > max_bytes) {
      *error = fmt::format("is larger than {} MiB; give a smaller one", max_bytes >> 20);
      return false;
    }
    bytes->resize(before + block);
    const la_ssize_t got = archive_read_data(reader, bytes->data() + before, block);
    bytes->resize(before + (got > 0 ? static_cast<size_t>(got) : 0));
    if (got == 0) return true;
    if (got > 0) continue;
    *error = WhatIsWrong(reader);
    return false;
  }
}

// The name of the next file, or false at the end.
bool NextFile(archive* reader, int* result, std::string* name) {
  archive_entry* entry = nullptr;
  while ((*result = archive_read_next_header(reader, &entry)) == ARCHIVE_OK ||
         *result == ARCHIVE_WARN) {
    const bool is_raw = archive_format(reader) == ARCHIVE_FORMAT_RAW;
    if (!is_raw && archive_entry_filetype(entry) != AE_IFREG) continue;
    const char* pathname = archive_entry_pathname(entry);
    *name = is_raw || pathname == nullptr ? "" : pathname;
    return true;
  }
  return false;
}

// A file whose beginning was read to see what it is.
struct FirstBytes {
  static constexpr size_t kBytes = 256 << 10;

  std::unique_ptr<ByteSource> rest;
  std::string first = {};
  bool is_whole = false;  // `first` is the file
  bool is_given = false;

  bool ReadFirst(std::string* error) {
    first.resize(kBytes);
    size_t size = 0;
    int64_t got = 0;
    while (size < first.size() && (got = rest->Read(std::span(first).subspan(size), error)) > 0)
      size += static_cast<size_t>(got);
    first.resize(size);
    is_whole = got == 0;
    return got >= 0;
  }

  // For libarchive. Later blocks take the place of the first.
  static la_ssize_t Give(archive* reader, void* file, const void** block) {
    auto& self = *static_cast<FirstBytes*>(file);
    std::string error;
    int64_t got = static_cast<int64_t>(self.first.size());
    if (self.is_given) {
      self.first.resize(kBytes);
      got = self.rest->Read(self.first, &error);
    }
    self.is_given = true;
    *block = self.first.data();
    if (got < 0) archive_set_error(reader, EIO, "%s", error.c_str());
    return got < 0 ? -1 : got;
  }
};

}  // namespace

bool ForEachFile(const Files& files, const std::string& path, const TakeFile& take,
                 const TakeTrouble& trouble) {
  std::string bytes;
  std::string error;
  FirstBytes file{.rest = files.Open(path, &error)};
  if (!file.rest || !file.ReadFirst(&error)) {
    trouble("", error);
    return true;
  }
  if (file.is_whole && (file.first.starts_with('{') || file.first.empty()))
    return take("", file.first);
  const std::unique_ptr<archive, Closer> reader(archive_read_new());
  archive_read_support_filter_all(reader.get());
  // Not all formats: libarchive takes lines without a space for mtree, a list of files.
  archive_read_support_format_tar(reader.get());
  archive_read_support_format_zip(reader.get());
  archive_read_support_format_7zip(reader.get());
  archive_read_support_format_cpio(reader.get());
  archive_read_support_format_raw(reader.get());
  archive_read_support_format_empty(reader.get());
  if (archive_read_open(reader.get(), &file, nullptr, FirstBytes::Give, nullptr) != ARCHIVE_OK) {
    trouble("", WhatIsWrong(reader.get()));
    return true;
  }
  int result = ARCHIVE_OK;
  bool has_files = false;
  std::string name;
  while (NextFile(reader.get(), &result, &name)) {
    has_files = true;
    const bool is_raw = archive_format(reader.get()) == ARCHIVE_FORMAT_RAW;
    bytes.clear();
    if (is_raw && !TakeLines(reader.get(), take, &bytes)) return false;
    if (!ReadMember(reader.get(), kMaxMemberBytes, &bytes, &error) ||
        (!is_raw && !UnpackGzip(kMaxMemberBytes, &bytes, &error))) {
      trouble(name, error);
      continue;
    }
    if (!take(name, bytes)) return false;
  }
  if (result != ARCHIVE_EOF)
    trouble("", WhatIsWrong(reader.get()));
  else if (!has_files)
    trouble("", "holds no files; give another one");
  return true;
}

bool IsZip(std::string_view bytes) { return bytes.starts_with("PK\x03\x04"); }

bool IsTar(std::string_view bytes) {
  constexpr size_t kMagicAt = 257;
  return bytes.size() > kMagicAt && bytes.substr(kMagicAt).starts_with("ustar");
}

std::vector<std::string> NamesInZip(std::string_view zip) {
  std::vector<std::string> names;
  const auto take_name = [&names](const std::string& name) {
    names.push_back(name);
    return false;
  };
  ForEachInZip(
      zip, 0, take_name, [](const std::string&, std::string_view) { return true; },
      [](const std::string&, const std::string&) {});
  return names;
}

void ForEachInZip(std::string_view zip, uint64_t max_bytes,
                  const std::function<bool(const std::string& name)>& is_wanted,
                  const TakeFile& take, const TakeTrouble& trouble) {
  const std::unique_ptr<archive, Closer> reader(archive_read_new());
  archive_read_support_format_zip(reader.get());
  int result = archive_read_open_memory(reader.get(), zip.data(), zip.size());
  std::string name;
  std::string bytes;
  std::string error;
  while (result == ARCHIVE_OK && NextFile(reader.get(), &result, &name)) {
    if (is_wanted(name)) {
      bytes.clear();
      if (!ReadMember(reader.get(), max_bytes, &bytes, &error) ||
          !UnpackGzip(max_bytes, &bytes, &error))
        trouble(name, error);
      else if (!take(name, bytes))
        return;
    }
    result = ARCHIVE_OK;
  }
  if (result != ARCHIVE_EOF) trouble("", WhatIsWrong(reader.get()));
}

}  // namespace stillframe::input
