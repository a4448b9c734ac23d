// Reads the payload of one section each into a document. Nothing in it is believed before it is
// checked; a section that does not hold what the format says leaves the document as it was.
// Context: host tools and tests, any thread
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "src/dump/field_cursor.h"
#include "src/dump/reader.h"
#include "src/model/document.h"

namespace stillframe::dump {

constexpr const char* kMalformed = "its fields are not what the format says";

template <typename Enum>
Enum KnownOr(uint64_t value, Enum last, Enum unknown) {
  return value <= static_cast<uint64_t>(last) ? static_cast<Enum>(value) : unknown;
}

// Reads a count and so many records by `read` into `*out`, all of them or none.
template <typename T, typename ReadOne>
bool ReadList(FieldCursor* list, uint32_t max_records, std::vector<T>* out, const ReadOne& read) {
  const uint32_t count = list->Count(max_records);
  std::vector<T> items;
  for (uint32_t i = 0; i < count && list->ok(); ++i) {
    FieldCursor fields = list->Record();
    items.push_back(read(&fields));
    list->Require(fields);
  }
  if (list->ok()) {
    *out = std::move(items);
  }
  return list->ok();
}

// Each: false if the section was left out. `max_records` bounds one list.
using SectionReader = bool (*)(FieldCursor* fields, uint32_t max_records,
                               model::Document* document);

// Of read_messages.cc.
bool ReadHistory(FieldCursor* list, uint32_t max_records, model::Document* document);
bool ReadRunning(FieldCursor* list, uint32_t max_records, model::Document* document);
bool ReadPending(FieldCursor* list, uint32_t max_records, model::Document* document);
bool ReadLoopers(FieldCursor* list, uint32_t max_records, model::Document* document);
bool ReadGroups(FieldCursor* list, uint32_t max_records, model::Document* document);
bool ReadRecords(FieldCursor* list, uint32_t max_records, model::Document* document);
bool ReadJank(FieldCursor* fields, uint32_t max_records, model::Document* document);

// Of read_context.cc.
bool ReadIdentity(FieldCursor* fields, uint32_t max_records, model::Document* document);
bool ReadTrigger(FieldCursor* fields, uint32_t max_records, model::Document* document);
bool ReadConfiguration(FieldCursor* list, uint32_t max_records, model::Document* document);
bool ReadCounters(FieldCursor* list, uint32_t max_records, model::Document* document);
bool ReadContext(FieldCursor* list, uint32_t max_records, model::Document* document);
bool ReadThreads(FieldCursor* list, uint32_t max_records, model::Document* document);
bool ReadAnnotations(FieldCursor* list, uint32_t max_records, model::Document* document);
bool ReadSignalCatcher(FieldCursor* fields, uint32_t max_records, model::Document* document);

// Frames and the trees that name them; the frames go first. Each returns nothing, or why the
// section was left out.
class TreeReader {
 public:
  TreeReader(const ReadLimits& limits, model::Document* document)
      : limits_(limits), document_(*document) {}

  const char* ReadFrames(FieldCursor* fields);
  // `payload_bytes` bounds what the counts in the payload may be.
  const char* ReadTree(FieldCursor* fields, size_t payload_bytes);

 private:
  trace::FrameId FrameOf(uint64_t id, bool* is_missing);
  const char* ReadNodes(std::span<const trace::FrameId> frames, uint32_t sample_count,
                        FieldCursor* fields, std::vector<trace::PreorderNode>* nodes) const;

  const ReadLimits& limits_;
  model::Document& document_;
  std::unordered_set<uint64_t> tokens_;
  std::unordered_map<uint64_t, trace::FrameId> frame_ids_;
};

}  // namespace stillframe::dump
