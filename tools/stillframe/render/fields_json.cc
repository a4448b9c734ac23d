// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/fields_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "src/dump/fields.h"
#include "src/dump/jank_record.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/index/trace_sections.h"
#include "tools/stillframe/render/facts.h"
#include "tools/stillframe/render/verdict_fields.h"

namespace stillframe::render {
namespace {

using dump::Row;
using dump::SectionKind;
using nlohmann::ordered_json;

// Names of the bits in Message::flags.
struct Flag {
  const char* name;
  uint32_t bit;
  const char* what;
};
constexpr Flag kFlags[] = {
    {"threw", model::kMessageThrew, "An exception left it"},
    {"nested", model::kMessageNested, "Dispatched inside another message"},
    {"has_tree", model::kMessageHasTree, "trees has one with this token"},
    {"identity_unknown", model::kMessageIdentityUnknown, "target, callback and what are not known"},
};

constexpr Row kTraceSections("trace_sections",
                             "Events that watched threads wrote to the trace marker; "
                             "null when it was not asked for");

// Events are not written field by field, but as sections and values: TraceSummaryOf.
bool IsFieldByField(uint32_t kind) {
  return static_cast<SectionKind>(kind) != SectionKind::kTraceSections;
}

// The page shows the other sections as facts in words.
bool IsOnPage(uint32_t kind) {
  switch (static_cast<SectionKind>(kind)) {
    case SectionKind::kConfiguration:
    case SectionKind::kCounters:
    case SectionKind::kContext:
    case SectionKind::kAnnotations:
    case SectionKind::kThreadStacks:
    case SectionKind::kModules: return false;
    default: return true;
  }
}

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

constexpr uint64_t kMostExact = uint64_t{1} << 53U;

class JsonWriter {
 public:
  template <typename T>
  using Of = const T;

  JsonWriter(const index::DumpIndex& index, ordered_json* json, ordered_json* left_out)
      : index_(index), json_(*json), left_out_(left_out) {}

  template <typename T>
  void operator()(const Row& row, const T& field) {
    json_[row.name] = Value(row, field);
  }

  template <typename T>
  bool Enum(const Row& row, const T& value) {
    json_[row.name] = Value(row, value);
    return true;
  }

  void NotReadable(const std::string& /*text*/) const {}

  void Bits(const Row& first_row, bool first, const Row& second_row, bool second) {
    json_[first_row.name] = first;
    json_[second_row.name] = second;
  }

  template <typename T>
  void Numbers(const Row& row, const std::vector<T>& numbers) {
    ordered_json& list = json_[row.name] = ordered_json::array();
    for (const T& number : numbers) list.push_back(Value(row, number));
  }

  template <typename T>
  void Record(const Row& row, const T& item) {
    json_[row.name] = Object(item);
  }

  template <typename T>
  void AsRecord(const T& item) {
    using dump::Fields;
    Fields(*this, item);
  }

  template <typename T>
  void List(const Row& row, const std::vector<T>& items) {
    std::span<const T> shown = items;
    if (IsForPage() && items.size() > Room::kRows) {
      (*left_out_)[row.name] = items.size() - Room::kRows;
      constexpr bool kTakesFirst = std::is_same_v<T, model::PendingMessage> ||
                                   std::is_same_v<T, model::ThreadRow> ||
                                   std::is_same_v<T, index::TraceSlice>;
      shown = kTakesFirst ? shown.first(Room::kRows) : shown.last(Room::kRows);
    }
    json_[row.name] = ListJson(shown);
  }

  template <typename T>
  ordered_json ListJson(std::span<const T> items) const {
    ordered_json list = ordered_json::array();
    if (!IsForPage() || items.size() < Room::kColumns) {
      for (const T& item : items) list.push_back(Object(item));
      return list;
    }
    list = {{"#", items.size()}};
    size_t count = 0;
    for (const T& item : items) {
      ordered_json object = Object(item);
      for (auto& [name, value] : object.items()) {
        ordered_json& column = list[name];
        while (column.size() < count) column.push_back(nullptr);
        column.push_back(std::move(value));
      }
      ++count;
    }
    return list;
  }

  // An optional member of a message is present only if it was requested.
  template <typename T>
  void Maybe(const Row& row, const std::optional<T>& item) {
    if (item)
      json_[row.name] = Object(*item);
    else if constexpr (!std::is_same_v<T, model::MessageObject>)
      json_[row.name] = nullptr;
  }

  template <typename T>
  void Payload(const Row& row, const std::optional<T>& item) {
    ordered_json& json = json_[row.name];
    if (!item) return;
    json = ordered_json::object();
    JsonWriter inner(index_, &json, left_out_);
    dump::PayloadOf(inner, *item);
  }

  template <typename Write>
  void Group(const Row& row, const Write& write) {
    JsonWriter inner(index_, &json_[row.name], left_out_);
    write(inner);
  }

 private:
  bool IsForPage() const { return left_out_ != nullptr; }

  template <typename T>
  ordered_json Value(const Row& row, const T& field) const {
    if constexpr (kIsOptional<T>) {
      return field ? Value(row, *field) : ordered_json(nullptr);
    } else if constexpr (std::is_same_v<T, Token>) {
      // A page's numbers are doubles, but a damaged dump may have tokens of 64 bits.
      const uint64_t number = NumberOf(field);
      return IsForPage() && number > kMostExact ? ordered_json(std::to_string(number))
                                                : ordered_json(number);
    } else if constexpr (std::is_enum_v<T>) {
      return index::NameOf(field);
    } else if constexpr (std::is_same_v<T, char>) {
      return std::string(1, field);
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      if (row.is_one_more) return field == 0 ? ordered_json(nullptr) : ordered_json(field - 1);
      if constexpr (std::is_signed_v<T>)
        if (row.may_be_unknown && field < 0) return nullptr;
      return field;
    } else if constexpr (std::is_same_v<T, std::string>) {
      return IsForPage() ? index::Truncated(field, row.is_lines ? Room::kLines : Room::kText)
                         : field;
    } else {
      return field;
    }
  }

  template <typename T>
  ordered_json Object(const T& item) const {
    ordered_json json = ordered_json::object();
    JsonWriter inner(index_, &json, left_out_);
    inner.AsRecord(item);
    if constexpr (std::is_same_v<T, model::Message>) {
      for (const Flag& flag : kFlags) json[flag.name] = (item.flags & flag.bit) != 0;
      inner(Row::Of("text", ""), index::DispatchText(index_.DispatchFor(item)));
    }
    if constexpr (std::is_same_v<T, model::PendingMessage>)
      if (IsForPage()) inner(Row::Of("text", ""), PendingText(item));
    return json;
  }

  template <typename... Kinds>
  ordered_json Object(const std::variant<Kinds...>& item) const {
    return std::visit([this](const auto& one) { return this->Object(one); }, item);
  }

  // One member holds the value or the reason for its absence.
  ordered_json Object(const model::ContextEntry& entry) const {
    using State = model::ContextEntry::State;
    ordered_json json = {{"group", entry.group}, {"name", entry.name}};
    if (entry.state == State::kNumber)
      json["value"] = entry.number;
    else
      json[entry.state == State::kText ? "value" : "absent"] = entry.text;
    return json;
  }

  const index::DumpIndex& index_;
  ordered_json& json_;
  ordered_json* left_out_;
};

// The page shows only the main thread's.
std::optional<index::TraceSummary> TraceSummaryOf(const model::Document& document,
                                                  bool is_for_page) {
  if (!document.sections) return std::nullopt;
  index::TraceSummary summary;
  summary.absent = document.sections->absent;
  const index::TraceSlices slices(document);
  for (const index::TraceSlice& slice : slices.all())
    if (!is_for_page || slice.looper == 0) summary.sections.push_back(slice);
  for (const model::LooperSections& sections : document.sections->loopers) {
    if (is_for_page && sections.looper != 0) continue;
    summary.lost += sections.lost;
    for (const model::TraceEvent& event : sections.events) {
      const bool is_counter = event.kind == model::TraceEventKind::kCounter;
      if (is_for_page || (!is_counter && event.kind != model::TraceEventKind::kInstant)) continue;
      summary.values.push_back({event.name, sections.looper, event.at_ns,
                                is_counter ? std::optional<int64_t>(event.value) : std::nullopt});
    }
  }
  return summary;
}

// Writes the schema from types, without values.
class SchemaWriter {
 public:
  template <typename T>
  using Of = const T;

  // `leaves_out`: omitted members are absent rather than empty.
  SchemaWriter(ordered_json* object, ordered_json* definitions, bool leaves_out = false)
      : object_(*object), definitions_(*definitions), leaves_out_(leaves_out) {
    object_["type"] = "object";
    object_["properties"];
    object_["required"];
  }

  template <typename T>
  void operator()(const Row& row, const T& /*field*/) {
    Add(row, Type<T>(row));
  }

  template <typename T>
  bool Enum(const Row& row, const T& /*value*/) {
    Add(row, Type<T>(row));
    return true;
  }

  void NotReadable(const std::string& /*text*/) const {}

  void Bits(const Row& first_row, bool first, const Row& second_row, bool second) {
    (*this)(first_row, first);
    (*this)(second_row, second);
  }

  template <typename T>
  void Numbers(const Row& row, const std::vector<T>& /*numbers*/) {
    Add(row, {{"type", "array"}, {"items", Type<T>(row)}});
  }

  template <typename T>
  void Named(const Row& row, const std::vector<T>& /*members*/) {
    Add(row, {{"type", "object"}, {"additionalProperties", Type<decltype(T::value)>(row)}});
  }

  template <typename T>
  void Record(const Row& row, const T& /*item*/) {
    Add(row, Object<T>(""));
  }

  template <typename T>
  void AsRecord(const T& item) {
    using dump::Fields;
    Fields(*this, item);
  }

  template <typename T>
  void List(const Row& row, const std::vector<T>& /*items*/) {
    Add(row, {{"type", "array"}, {"items", Item(static_cast<const T*>(nullptr))}});
  }

  template <typename T>
  void Maybe(const Row& row, const std::optional<T>& /*item*/) {
    if constexpr (std::is_same_v<T, model::MessageObject>)
      AddOptional(row, Object<T>(row.what));
    else
      Add(row, OrNull(Object<T>("")));
  }

  template <typename T>
  void Payload(const Row& row, const std::optional<T>& /*item*/) {
    ordered_json object;
    SchemaWriter inner(&object, &definitions_);
    const T item = {};
    dump::PayloadOf(inner, item);
    Add(row, OrNull(std::move(object)));
  }

  template <typename Write>
  void Group(const Row& row, const Write& write) {
    ordered_json object;
    SchemaWriter inner(&object, &definitions_);
    write(inner);
    Add(row, std::move(object));
  }

 private:
  void AddOptional(const Row& row, ordered_json type) {
    type["description"] = row.what;
    object_["properties"][row.name] = std::move(type);
  }
  void Add(const Row& row, ordered_json type) {
    AddOptional(row, std::move(type));
    if (!row.is_optional && !(leaves_out_ && row.omit != 0))
      object_["required"].push_back(row.name);
  }

  static ordered_json OrNull(ordered_json type) {
    return {{"anyOf", ordered_json::array({std::move(type), {{"type", "null"}}})}};
  }

  template <typename T>
  static ordered_json Type(const Row& row) {
    if constexpr (std::is_same_v<T, bool>) {
      return {{"type", "boolean"}};
    } else if constexpr (std::is_same_v<T, Token>) {
      return Type<uint64_t>(row);
    } else if constexpr (kIsOptional<T>) {
      return OrNull(Type<typename T::value_type>(row));
    } else if constexpr (requires(T pair) { pair.first; }) {
      return {{"type", "array"},
              {"items", {Type<typename T::first_type>(row), Type<typename T::second_type>(row)}}};
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, char>) {
      ordered_json type;
      if (row.may_be_unknown || row.is_one_more)
        type["type"] = ordered_json::array({"integer", "null"});
      else
        type["type"] = "integer";
      if (std::is_unsigned_v<T>) type["minimum"] = 0;
      return type;
    } else if constexpr (std::is_enum_v<T>) {
      ordered_json names = ordered_json::array();
      for (const EnumWords& words : kTableOf<T>.words) names.push_back(words.name);
      return {{"enum", std::move(names)}};
    } else {
      return {{"type", "string"}};
    }
  }

  template <typename T>
  ordered_json Item(const T* /*only its type counts*/) {
    return Object<T>("");
  }

  template <typename... Kinds>
  ordered_json Item(const std::variant<Kinds...>* /*only its type counts*/) {
    return {{"anyOf", ordered_json::array({Object<Kinds>("")...})}};
  }

  // Messages have a separate definition.
  template <typename T>
  ordered_json Object(const char* what) {
    if constexpr (std::is_same_v<T, model::ContextEntry>) return ContextEntry();
    constexpr bool kIsMessage = std::is_same_v<T, model::Message>;
    ordered_json reference = {{"$ref", "#/definitions/message"}};
    if (kIsMessage && definitions_.contains("message")) return reference;
    ordered_json object;
    SchemaWriter inner(&object, &definitions_);
    const T item = {};
    inner.AsRecord(item);
    if (*what != 0) object["description"] = what;
    if constexpr (requires { T::kName; })
      object["properties"]["kind"]["enum"] = ordered_json::array({T::kName});
    if constexpr (kIsMessage) {
      for (const Flag& flag : kFlags)
        inner.Add(Row::Of(flag.name, flag.what), {{"type", "boolean"}});
      inner.Add(Row::Of("text", "For a person"), {{"type", "string"}});
      object["description"] = "A message that was dispatched, or what ran outside messages";
      definitions_["message"] = std::move(object);
      return reference;
    }
    return object;
  }

  static ordered_json ContextEntry() {
    return {{"type", "object"},
            {"description", "One of value and absent each"},
            {"properties",
             {{"group", {{"type", "string"}, {"description", "device, process, cpu, ..."}}},
              {"name", {{"type", "string"}, {"description", "With its unit"}}},
              {"value", {{"type", {"integer", "string"}}, {"description", "Its value"}}},
              {"absent", {{"type", "string"}, {"description", "Why it is not there"}}}}},
            {"required", {"group", "name"}}};
  }

  ordered_json& object_;
  ordered_json& definitions_;
  bool leaves_out_;
};

}  // namespace

void AddFields(const index::DumpIndex& index, const judge::Verdict& verdict, ordered_json* json,
               ordered_json* left_out) {
  JsonWriter writer(index, json, left_out);
  writer.Record(Row("verdict", ""), verdict);
  const model::Document& document = index.document();
  for (uint32_t kind = 1; kind <= dump::kLastSectionKind; ++kind)
    if (IsFieldByField(kind) && (left_out == nullptr || IsOnPage(kind)))
      dump::SectionFields(writer, static_cast<SectionKind>(kind), document);
  writer.Maybe(kTraceSections, TraceSummaryOf(document, left_out != nullptr));
}

ordered_json MessagesForPage(const index::DumpIndex& index,
                             const std::vector<model::Message>& messages) {
  ordered_json none;
  return JsonWriter(index, &none, &none).ListJson(std::span(messages));
}

void AddFieldSchema(ordered_json* schema) {
  SchemaWriter writer(schema, &(*schema)["definitions"]);
  writer.Record(Row("verdict", "The cause, with its evidence"), judge::Verdict());
  const model::Dump none;
  for (uint32_t kind = 1; kind <= dump::kLastSectionKind; ++kind)
    if (IsFieldByField(kind)) dump::SectionFields(writer, static_cast<SectionKind>(kind), none);
  writer.Maybe(kTraceSections, std::optional<index::TraceSummary>());
  ordered_json& definitions = (*schema)["definitions"];
  ordered_json record = {{"description", "A file that STILLFRAME_JANKS leaves"}};
  SchemaWriter record_writer(&record, &definitions, true);
  const dump::JankRecord no_record;
  dump::Fields(record_writer, no_record);
  definitions["jank_record"] = std::move(record);
}

}  // namespace stillframe::render
