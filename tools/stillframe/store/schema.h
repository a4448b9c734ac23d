// SPDX-License-Identifier: Apache-2.0
// Tables of a store, for both engines. docs/reference/store.md follows them. A store of an older
// version gets the columns that it lacks when it is opened for writing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace stillframe::store {

// Raised by each change of the tables, which then marks its columns with `since`.
constexpr int kSchemaVersion = 2;

enum class ColumnType : uint8_t {
  kInteger,  // 64 bits, signed
  kVersion,  // 63 bits; of rows with one key, the one with the highest version counts
  kText,     // clean text
  kBytes,
};

struct Column {
  const char* name;
  ColumnType type;
  const char* what;
  int since = 1;
};

// The first column is the key, the second the version.
struct Table {
  const char* name;
  const char* what;
  std::span<const Column> columns;
};

constexpr Column kHangColumns[] = {
    {"id", ColumnType::kText, "Of the record: INSTALL-STARTpPID-TOKEN; made up for other inputs"},
    {"version", ColumnType::kVersion, "Revision, then size of the facts, then a hash"},
    {"install", ColumnType::kInteger, "Hash of the install id; of the process if that is left out"},
    {"session", ColumnType::kInteger, "Hash of INSTALL-STARTpPID"},
    {"source", ColumnType::kInteger, "0: a record; 1: a dump or another tool's file"},
    {"signature", ColumnType::kInteger, "Key of signatures"},
    {"count", ColumnType::kInteger, "Equal hangs"},
    {"total_ms", ColumnType::kInteger, "Their time together"},
    {"longest_ms", ColumnType::kInteger, "The longest of them"},
    {"first_time_ms", ColumnType::kInteger, "End of the first, since 1970; 0: the clock was wrong"},
    {"time_ms", ColumnType::kInteger, "End of the last, since 1970; 0: the clock was wrong"},
    {"running", ColumnType::kInteger, "1: had not ended when it was written"},
    {"debugged", ColumnType::kInteger, "1: under a debugger; counts in no sum"},
    {"package", ColumnType::kText, "Of the application"},
    {"version_name", ColumnType::kText, "Of the application"},
    {"version_code", ColumnType::kInteger, "Of the application; 0: unknown"},
    {"process", ColumnType::kText, "Name of the process"},
    {"model", ColumnType::kText, "Of the device"},
    {"api_level", ColumnType::kInteger, "0: unknown"},
    {"memory", ColumnType::kText, "Class of the device: BEST, HIGH, MIDDLE, LOW or BAD"},
    {"scene", ColumnType::kText, "As the application named it"},
    {"facts", ColumnType::kText, "Other facts: a line NAME=VALUE each, by name"},
    {"added_day", ColumnType::kInteger, "When it was added, in days since 1970"},
    {"histogram", ColumnType::kText, "MS:COUNT, from so many ms to twice as many, with spaces", 2},
};

constexpr Column kSessionColumns[] = {
    {"id", ColumnType::kText, "INSTALL-STARTpPID"},
    {"version", ColumnType::kVersion, "As in hangs"},
    {"install", ColumnType::kInteger, "As in hangs"},
    {"day", ColumnType::kInteger, "In days since 1970; 0: the clock was wrong"},
    {"rated_ms", ColumnType::kInteger, "In the foreground, watched: what rates refer to"},
    {"alive_ms", ColumnType::kInteger, "Since the profiler was started"},
    {"foreground_ms", ColumnType::kInteger, "In the foreground"},
    {"messages", ColumnType::kInteger, "Of the main thread"},
    {"janks", ColumnType::kInteger, "Hangs"},
    {"jank_ms", ColumnType::kInteger, "Their time together"},
    {"frames", ColumnType::kInteger, "Drawn"},
    {"frames_missed", ColumnType::kInteger, "Refresh intervals without the frame that was due"},
    {"killed", ColumnType::kInteger, "1: the process was killed"},
    {"control", ColumnType::kInteger, "1: of the control group"},
    {"package", ColumnType::kText, "As in hangs"},
    {"version_name", ColumnType::kText, "As in hangs"},
    {"version_code", ColumnType::kInteger, "As in hangs"},
    {"process", ColumnType::kText, "As in hangs"},
    {"model", ColumnType::kText, "As in hangs"},
    {"api_level", ColumnType::kInteger, "As in hangs"},
    {"facts", ColumnType::kText, "As in hangs"},
    {"added_day", ColumnType::kInteger, "As in hangs"},
};

constexpr Column kSignatureColumns[] = {
    {"signature", ColumnType::kInteger, "Hash of the names without what builds change"},
    {"version", ColumnType::kVersion, "Hash of the names: the highest is shown"},
    {"kind", ColumnType::kText, "Of the verdict; empty: the record had no facts"},
    {"method", ColumnType::kText, "The application's; empty: none"},
    {"caller", ColumnType::kText, "That called it"},
    {"leaf", ColumnType::kText, "Its hot callee, or itself"},
    {"message", ColumnType::kText, "Target and callback"},
};

constexpr Column kExampleColumns[] = {
    {"id", ColumnType::kText, "As in hangs"},
    {"version", ColumnType::kVersion, "As in hangs"},
    {"signature", ColumnType::kInteger, "As in hangs"},
    {"name", ColumnType::kText, "Of the file"},
    {"bytes", ColumnType::kBytes, "The file as it was added"},
    {"cause", ColumnType::kInteger, "Hash of kind, method and message; of each 20 count", 2},
};

constexpr Column kDecisionColumns[] = {
    {"cluster", ColumnType::kText, "A cluster as it is without decisions"},
    {"version", ColumnType::kVersion, "When it was decided, in ns since 1970"},
    {"target", ColumnType::kText, "The cluster that it belongs to; its own: it stands alone"},
};

constexpr Column kForgottenColumns[] = {
    {"install", ColumnType::kInteger, "Hash of the install id"},
    {"version", ColumnType::kVersion, "When, in ns since 1970"},
};

constexpr Column kKeptColumns[] = {
    {"query", ColumnType::kText, "What was asked"},
    {"version", ColumnType::kVersion, "When, in ns since 1970"},
    {"stamp", ColumnType::kText, "The store's stamp at that time"},
    {"answer", ColumnType::kText, "As it was written"},
};

constexpr Column kMetaColumns[] = {
    {"name", ColumnType::kText, "schema, stamp"},
    {"version", ColumnType::kVersion, "When, in ns since 1970"},
    {"value", ColumnType::kText, "Version of these tables; changes with each change of the store"},
};

constexpr Table kHangs = {"hangs", "A row for each record, or hang of a dump", kHangColumns};
constexpr Table kSessions = {"sessions", "A row for each process", kSessionColumns};
constexpr Table kSignatures = {"signatures", "Causes in names; clusters are made of them",
                               kSignatureColumns};
constexpr Table kExamples = {"examples", "Files that open as reports", kExampleColumns};
constexpr Table kDecisions = {"decisions", "Clusters merged or split by hand", kDecisionColumns};
constexpr Table kForgotten = {"forgotten", "Installs that are never added again",
                              kForgottenColumns};
constexpr Table kKept = {"kept", "Answers that took long", kKeptColumns};
constexpr Table kMeta = {"meta", "Facts of the store", kMetaColumns};
constexpr const Table* kTables[] = {&kHangs,     &kSessions,  &kSignatures, &kExamples,
                                    &kDecisions, &kForgotten, &kKept,       &kMeta};

// docs/reference/store.md.
std::string SchemaReference();

}  // namespace stillframe::store
