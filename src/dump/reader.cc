// SPDX-License-Identifier: Apache-2.0
// Turns the sections of a dump into a document; see reader.h for what it promises.
// Context: host tools and tests, any thread
#include "src/dump/reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <memory>

#include "src/dump/decoder.h"
#include "src/dump/read_trees.h"
#include "src/dump/section_scan.h"

namespace stillframe::dump {
namespace {

// Whether this version has a section of that kind.
bool IsKnown(SectionKind kind) {
  const auto number = static_cast<uint32_t>(kind);
  return kind == SectionKind::kEnd || (number >= 1 && number <= kLastSectionKind);
}

bool ReadSectionFields(SectionKind kind, FieldCursor fields, uint32_t max_records,
                       model::Dump* dump) {
  Decoder decoder(&fields, max_records);
  SectionFields(decoder, kind, *dump);
  return fields.ok();
}

class DocumentReader {
 public:
  DocumentReader(const ReadLimits& limits, model::Document* document)
      : limits_(limits), document_(*document), trees_(limits, document) {}

  void Read(std::span<const Section> sections) {
    const auto is_frames = [](const Section& section) {
      return section.header.kind == static_cast<uint32_t>(SectionKind::kFrames);
    };
    for (const Section& section : sections)  // trees need them, wherever they are
      if (is_frames(section)) ReadSection(section);
    for (const Section& section : sections)
      if (!is_frames(section)) ReadSection(section);
  }

 private:
  void ReadSection(const Section& section) {
    std::string why;
    const SectionKind kind = static_cast<SectionKind>(section.header.kind);
    if (!IsKnown(kind)) return;
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

  // Returns nothing, or why the section was left out.
  const char* ReadFields(SectionKind kind, FieldCursor* fields) {
    if (kind == SectionKind::kFrames) return trees_.ReadFrames(fields);
    if (kind == SectionKind::kTree) return trees_.ReadTree(fields, payload_.size());
    // Twice, so that a section that is not whole leaves the document as it was.
    model::Dump trial;
    if (!ReadSectionFields(kind, *fields, limits_.max_records, &trial)) return kMalformed;
    if (kind == SectionKind::kThreadStacks) {
      if (const char* problem = trees_.ReadStacks(&*trial.thread_stacks)) return problem;
      document_.thread_stacks = std::move(trial.thread_stacks);
      return nullptr;
    }
    ReadSectionFields(kind, *fields, limits_.max_records, &document_);
    return nullptr;
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
    if (document.damage.size() > 1)
      result.error += " (and " + std::to_string(document.damage.size() - 1) + " more)";
    result.error += "; what could be read is shown, copy the file again or take another dump";
  }
  return result;
}

}  // namespace stillframe::dump
