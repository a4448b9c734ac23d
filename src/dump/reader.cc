// Turns the sections of a dump into a document; see reader.h for what it promises.
// Context: host tools and tests, any thread
#include "src/dump/reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <memory>

#include "src/dump/section_readers.h"
#include "src/dump/section_scan.h"

namespace stillframe::dump {
namespace {

// Null for a kind without a reader of this form: frames, trees, the end, and later versions'.
SectionReader ReaderOf(SectionKind kind) {
  switch (kind) {
    case SectionKind::kIdentity: return ReadIdentity;
    case SectionKind::kTrigger: return ReadTrigger;
    case SectionKind::kConfiguration: return ReadConfiguration;
    case SectionKind::kCounters: return ReadCounters;
    case SectionKind::kHistory: return ReadHistory;
    case SectionKind::kRunning: return ReadRunning;
    case SectionKind::kPending: return ReadPending;
    case SectionKind::kLoopers: return ReadLoopers;
    case SectionKind::kGroups: return ReadGroups;
    case SectionKind::kRecords: return ReadRecords;
    case SectionKind::kJank: return ReadJank;
    case SectionKind::kContext: return ReadContext;
    case SectionKind::kThreads: return ReadThreads;
    case SectionKind::kAnnotations: return ReadAnnotations;
    case SectionKind::kSignalCatcher: return ReadSignalCatcher;
    case SectionKind::kFrames:
    case SectionKind::kTree:
    case SectionKind::kEnd: break;
  }
  return nullptr;
}

class DocumentReader {
 public:
  DocumentReader(const ReadLimits& limits, model::Document* document)
      : limits_(limits), document_(*document), trees_(limits, document) {}

  void Read(std::span<const Section> sections) {
    const auto is_frames = [](const Section& section) {
      return section.header.kind == static_cast<uint32_t>(SectionKind::kFrames);
    };
    for (const Section& section : sections) {  // trees need them, wherever they are
      if (is_frames(section)) {
        ReadSection(section);
      }
    }
    for (const Section& section : sections) {
      if (!is_frames(section)) {
        ReadSection(section);
      }
    }
  }

 private:
  void ReadSection(const Section& section) {
    std::string why;
    const SectionKind kind = static_cast<SectionKind>(section.header.kind);
    if (!IsKnown(kind)) {
      return;
    }
    if (kind != SectionKind::kTree && !seen_.insert(section.header.kind).second) {
      why = "a second one";
    } else if (ReadPayload(section, limits_.max_raw_bytes - raw_bytes_, &payload_, &why)) {
      raw_bytes_ += payload_.size();
      FieldCursor fields(payload_);
      const char* problem = ReadFields(kind, &fields);
      why = problem == nullptr ? "" : problem;
    }
    if (!why.empty()) {
      document_.damage.push_back(
          AtOffset(section.offset, SectionName(section.header.kind) + " left out: " + why));
    }
  }

  static bool IsKnown(SectionKind kind) {
    return kind == SectionKind::kEnd || kind == SectionKind::kFrames ||
           kind == SectionKind::kTree || ReaderOf(kind) != nullptr;
  }

  // Returns nothing, or why the section was left out.
  const char* ReadFields(SectionKind kind, FieldCursor* fields) {
    if (kind == SectionKind::kFrames) {
      return trees_.ReadFrames(fields);
    }
    if (kind == SectionKind::kTree) {
      return trees_.ReadTree(fields, payload_.size());
    }
    const SectionReader read = ReaderOf(kind);
    return read == nullptr || read(fields, limits_.max_records, &document_) ? nullptr : kMalformed;
  }

  const ReadLimits& limits_;
  model::Document& document_;
  TreeReader trees_;
  uint64_t raw_bytes_ = 0;
  std::vector<uint8_t> payload_;
  std::unordered_set<uint32_t> seen_;
};

}  // namespace

ReadResult ReadDump(std::span<const uint8_t> bytes, const ReadLimits& limits) {
  ReadResult result;
  ScanResult scan = ScanSections(bytes, limits);
  if (scan.status != Status::kOk) {
    result.status = scan.status;
    result.error = std::move(scan.error);
    return result;
  }
  model::Document& document = result.document;
  document.format_version = kFormatMajor;
  document.damage = std::move(scan.damage);
  DocumentReader(limits, &document).Read(scan.sections);
  if (!document.damage.empty()) {
    result.status = Status::kDamaged;
    result.error = document.damage[0];
    if (document.damage.size() > 1) {
      result.error += " (and " + std::to_string(document.damage.size() - 1) + " more)";
    }
    result.error += "; what could be read is shown, copy the file again or take another dump";
  }
  return result;
}

ReadResult ReadDumpFile(const char* path, const ReadLimits& limits) {
  ReadResult result;
  const auto fail = [&result](int error) {
    result.status = Status::kCannotRead;
    result.error = std::string(strerror(error)) + "; give the path of a dump that you may read";
    return std::move(result);
  };
  const std::unique_ptr<FILE, int (*)(FILE*)> file(fopen(path, "rbe"), fclose);
  if (!file) {
    return fail(errno);
  }
  std::vector<uint8_t> bytes;
  constexpr size_t kChunk = 64 * 1024;
  size_t count = kChunk;
  while (count == kChunk && bytes.size() <= limits.max_file_bytes) {
    bytes.resize(bytes.size() + kChunk);
    count = fread(bytes.data() + bytes.size() - kChunk, 1, kChunk, file.get());
    bytes.resize(bytes.size() - kChunk + count);
  }
  if (ferror(file.get()) != 0) {
    return fail(errno);
  }
  return ReadDump(bytes, limits);
}

}  // namespace stillframe::dump
