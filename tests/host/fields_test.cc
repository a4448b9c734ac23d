// SPDX-License-Identifier: Apache-2.0
// All fields of a dump, by the rows of src/dump/fields.h: cleaned, retraced, told as JSON with a
// schema, and listed in docs/reference/fields.md, with those of a record of janks; which this test
// writes with STILLFRAME_UPDATE_GOLDEN=1.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "src/context/identity.h"
#include "src/settings/omissions.h"
#include "tests/host/reference_page.h"
#include "tests/unit/dump/field_paths.h"
#include "tests/unit/jank/record_rows.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/input/clean_document.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/naming/document_names.h"
#include "tools/stillframe/naming/mapping_reader.h"
#include "tools/stillframe/render/json.h"

namespace stillframe {
namespace {

using dump::FieldPath;
using nlohmann::json;

template <typename Visit>
void ForEachText(model::Dump* dump, const Visit& visit) {
  dump::WalkPaths(
      false, dump,
      [&](const FieldPath& path, auto& field) {
        if constexpr (std::is_same_v<decltype(field), std::string&>) visit(path, &field);
      });
}

TEST(Fields, EachTextIsCleaned) {
  model::Document document;
  dump::FillTexts(false, &document);
  uint32_t texts = 0;
  ForEachText(&document, [&](const FieldPath&, std::string* text) { *text += "\x01\x1b[31m\xff"; });
  input::CleanDocument(&document);
  ForEachText(&document, [&](const FieldPath& path, std::string* text) {
    ++texts;
    EXPECT_TRUE(index::IsClean(*text)) << path.path;
  });
  EXPECT_GT(texts, 60U);
}

TEST(Fields, EachClassIsRetracedAndNothingElse) {
  for (const bool are_segments : {false, true}) {
    model::Document document;
    dump::FillTexts(are_segments, &document);
    ForEachText(&document, [&](const FieldPath& path, std::string* text) {
      *text = are_segments && path.row.omit_of_segments != 0 ? "a.a.run" : "a.a";
    });
    naming::Mapping mapping;
    mapping.classes["a.a"].original_name = "com.example.Real";
    const naming::Mapping* const mappings[] = {&mapping};
    naming::RestoreNames(mappings, &document);
    ForEachText(&document, [&](const FieldPath& path, std::string* text) {
      const bool is_restored = text->starts_with("com.example.Real");
      EXPECT_EQ(is_restored, path.row.is_class) << path.path;
    });
  }
}

// The node of a path in JSON, or in a schema.
const json* Find(const json& whole, const std::string& path, bool is_schema) {
  const json* node = &whole;
  std::istringstream names(path);
  for (std::string name; std::getline(names, name, '.');) {
    const bool is_list = name.ends_with("[]");
    if (is_list) name.resize(name.size() - 2);
    if (is_schema) {
      const auto settle = [&] {
        if (node->contains("anyOf")) node = &node->at("anyOf").at(0);
        if (node->contains("$ref")) node = &whole.at("definitions").at("message");
      };
      settle();
      if (!node->contains("properties") || !node->at("properties").contains(name)) return nullptr;
      node = &node->at("properties").at(name);
      if (is_list) node = &node->at("items");
      settle();
    } else {
      if (!node->contains(name)) return nullptr;
      node = &node->at(name);
      if (is_list) node = &node->at(0);
    }
  }
  return node;
}

TEST(Fields, EachIsInTheJsonAndItsSchema) {
  model::Document document;
  dump::FillTexts(false, &document);
  const index::DumpIndex index(document);
  const json told = json::parse(render::Json(index, judge::Judge(index)));
  const json schema = json::parse(render::JsonSchema());
  dump::WalkPaths(false, &document, [&](const FieldPath& path, auto&) {
    // These two sections have another form in the JSON.
    if (path.section == dump::SectionKind::kContext ||
        path.section == dump::SectionKind::kTraceSections)
      return;
    EXPECT_NE(Find(told, path.path, false), nullptr) << path.path;
    EXPECT_NE(Find(schema, path.path, true), nullptr) << path.path;
  });
}

// "`stacks` or `threads`"
std::string Words(uint16_t omit) {
  std::string words;
  for (uint32_t i = 0; i < static_cast<uint32_t>(settings::Part::kCount); ++i) {
    const auto part = static_cast<settings::Part>(i);
    if ((omit & model::BitOf(part)) == 0) continue;
    settings::Omissions word;
    word.Add(part);
    words += (words.empty() ? "`" : " or `") + word.Words() + "`";
  }
  return words;
}

std::string LeftOutBy(const dump::Row& row, uint16_t omit) {
  if (row.note != nullptr) return row.note;
  if (row.omit_of_segments == 0) return Words(omit);
  return Words(omit) + "; of what ran outside messages " + Words(row.omit_of_segments) + " too";
}

constexpr const char* kSectionNames[] = {"",
                                         "kIdentity",
                                         "kTrigger",
                                         "kConfiguration",
                                         "kCounters",
                                         "kFrames",
                                         "kHistory",
                                         "kRunning",
                                         "kPending",
                                         "kTree",
                                         "kLoopers",
                                         "kGroups",
                                         "kRecords",
                                         "kJank",
                                         "kContext",
                                         "kThreads",
                                         "kAnnotations",
                                         "kSignalCatcher",
                                         "kThreadStacks",
                                         "kModules",
                                         "kTraceSections",
                                         "kOtherThreads",
                                         "kThreadTree"};
static_assert(std::size(kSectionNames) == dump::kLastSectionKind + 1);

TEST(Fields, TheSchemaNamesEachMemberOfARecordOfJanks) {
  json schema = json::parse(render::JsonSchema()).at("definitions").at("jank_record");
  const dump::RecordRows record;
  EXPECT_EQ(schema.at("properties").size(), record.rows.size());
  for (const auto& [row, type] : record.rows) {
    ASSERT_TRUE(schema["properties"].contains(row.name)) << row.name;
    EXPECT_EQ(schema["properties"][row.name]["type"], type) << row.name;
    const bool is_always_there = row.omit == 0 && !row.is_optional;
    EXPECT_EQ(std::ranges::count(schema.at("required"), row.name), is_always_there) << row.name;
  }
}

std::string Reference() {
  std::ostringstream out;
  out << "# Fields of a dump\n\n"
         "Made from the rows of [src/dump/fields.h](../../src/dump/fields.h) by the test `Fields`, "
         "which "
         "fails where this page is not\ncurrent: do not edit. How a file is made of sections, and "
         "what is stored of a type, says\n[dump_format.h](../../include/stillframe/dump_format.h); "
         "the "
         "sections `kFrames` and `kTree` stand there too. A field's place in\nits section is its "
         "place here. Names are those of `stillframe inspect --json`. What no word of "
         "`STILLFRAME_OMIT`\nleaves out stays; a list or record is left out with all that is in "
         "it. "
         "The message in `running` and in `loopers[].running` is as\nin `history[]`.\n\n"
         "| section | field | stored as | what it is | left out by |\n"
         "|---|---|---|---|---|\n";
  model::Document document;
  dump::FillTexts(false, &document);
  const auto add = [&](const FieldPath& path, auto&) {
    if (path.path.starts_with("running.") || path.path.starts_with("loopers[].running.")) return;
    out << "| `" << kSectionNames[static_cast<uint32_t>(path.section)] << "` | `" << path.path
        << "` | " << path.stored << " | " << path.row.what
        << (path.row.may_be_unknown ? "; negative: not known" : "") << " | "
        << LeftOutBy(path.row, path.omit) << " |\n";
  };
  dump::WalkPaths(false, &document, add);
  out << "\n## Records of janks\n\n"
         "Likewise of [src/dump/jank_record.h](../../src/dump/jank_record.h), in the order of a "
         "record "
         "([production](../production.md#records-of-long-messages)). A field is\nnot there where "
         "it is left out, and "
         "one "
         "with \"maybe\" where it is not known or has nothing to say. Its JSON Schema is\n"
         "`definitions.jank_record` of `stillframe inspect --schema`.\n\n"
         "| field | JSON | there | what it is | left out by |\n"
         "|---|---|---|---|---|\n";
  const dump::RecordRows record;
  for (const auto& [row, type] : record.rows)
    out << "| `" << row.name << "` | " << type << " | " << (row.is_optional ? "maybe" : "yes")
        << " | " << row.what << " | " << LeftOutBy(row, row.omit) << " |\n";
  out << "\n## Identity\n\n"
         "Facts in `identity` of records and sessions, and in `kContext` of dumps (group "
         "`identity`). One that is not known is\nin `identity_absent`, with the reason.\n\n"
         "| fact | what it is | left out by |\n|---|---|---|\n";
  for (const context::IdentityRow& row : context::kIdentityRows) {
    settings::Omissions omit;
    omit.Add(row.omit);
    out << "| `" << row.name << "` | " << row.what << " | `" << omit.Words() << "` |\n";
  }
  out << "\n## Sessions\n\n"
         "Members of a session's file, likewise of "
         "[src/dump/session_record.h](../../src/dump/session_record.h).\n\n"
         "| field | JSON | there | what it is | left out by |\n|---|---|---|---|---|\n";
  dump::SessionRows session;
  for (const auto& [row, type] : session.rows)
    out << "| `" << row.name << "` | " << type << " | " << (row.is_optional ? "maybe" : "yes")
        << " | " << row.what << " | " << LeftOutBy(row, row.omit) << " |\n";
  return out.str();
}

TEST(Fields, TheReferenceIsCurrent) { ExpectReference("fields.md", Reference()); }

// As many members as an aggregate can be initialised with. Nothing calls the operator.
struct Anything {
  template <typename T>
  operator T() const {  // NOLINT(google-explicit-constructor)
    std::abort();
  }
};
template <typename T, typename... Given>
constexpr size_t MembersOf() {
  if constexpr (requires { T{Given()..., Anything()}; })
    return MembersOf<T, Given..., Anything>();
  else
    return sizeof...(Given);
}

// Counts rows of one struct, not of what is inside.
struct RowCount {
  template <typename T>
  using Of = T;
  size_t rows = 0;

  template <typename T>
  void operator()(const dump::Row&, T&) {
    ++rows;
  }
  template <typename T>
  bool Enum(const dump::Row&, T& value) {
    ++rows;
    return static_cast<int>(value) >= 0;
  }
  void NotReadable(std::string&) {}
  void Bits(const dump::Row&, bool&, const dump::Row&, bool&) { rows += 2; }
  template <typename T>
  void Numbers(const dump::Row&, T&) {
    ++rows;
  }
  template <typename T>
  void List(const dump::Row&, T&) {
    ++rows;
  }
  template <typename T>
  void Named(const dump::Row&, T&) {
    ++rows;
  }
  template <typename T>
  void Maybe(const dump::Row&, T&) {
    ++rows;
  }
  template <typename T>
  void Record(const dump::Row&, T&) {
    ++rows;
  }
  template <typename T>
  void Payload(const dump::Row&, T&) {
    ++rows;
  }
  template <typename Visit>
  void Group(const dump::Row&, const Visit& visit) {
    visit(*this);
  }
  template <typename T>
  void AsRecord(T& item) {
    dump::Fields(*this, item);
  }
};

template <typename T>
size_t RowsOf() {
  RowCount count;
  T item = {};
  if constexpr (requires { dump::PayloadOf(count, item); })
    dump::PayloadOf(count, item);
  else
    dump::Fields(count, item);
  return count.rows;
}

template <typename T>
void ExpectRowsOf() {
  EXPECT_EQ(RowsOf<T>(), MembersOf<T>()) << __PRETTY_FUNCTION__;
}
template <typename... Types>
void ExpectRows() {
  (ExpectRowsOf<Types>(), ...);
}

TEST(Fields, EachMemberHasARow) {
  ExpectRows<model::Identity, model::Occasion, model::NamedText, model::NamedCount, model::LockWait,
             model::Message, model::MessageObject, model::PendingMessage, model::Looper,
             model::HistoryGroup, model::HistoryRecord, model::Jank, model::FrozenFrame,
             model::SceneShare, model::ThreadRow, model::ThreadTable, model::NativeFrame,
             model::ThreadStack, model::ThreadStacks, model::Module, model::TraceEvent,
             model::LooperSections, model::TraceSections, model::Annotation,
             model::SignalCatcherText, dump::JankDescription, dump::JankStack, dump::JankIdentity,
             dump::JankFacts, dump::JankCounts, dump::JankRevision>();
  ExpectRows<dump::MethodRecord, dump::FrameRecord, dump::TreeHead>();
  // A record's rows are those of its six parts.
  EXPECT_EQ(MembersOf<dump::JankRecord>(), 6U);
  // Annotations are in their section, with rows of their own.
  RowCount sections;
  model::Dump document;
  for (uint32_t kind = 1; kind <= dump::kLastSectionKind; ++kind)
    dump::SectionFields(sections, static_cast<dump::SectionKind>(kind), document);
  EXPECT_EQ(sections.rows, MembersOf<model::Dump>() - 2 + MembersOf<model::Occasion>() +
                               MembersOf<model::Annotations>());
  // It has a text or a number, never both.
  EXPECT_EQ(RowsOf<model::ContextEntry>() + 1, MembersOf<model::ContextEntry>());
}

}  // namespace
}  // namespace stillframe
