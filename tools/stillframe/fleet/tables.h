// SPDX-License-Identifier: Apache-2.0
// Rows of a store and its tables, for both engines. A member, its column and the column's meaning
// are one line. docs/reference/store.md follows them.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

namespace stillframe::fleet {

// Raised by each change of the tables. A store of another version is refused.
constexpr int kSchemaVersion = 3;

// Keys by hash; one kind does not pass for another.
enum class InstallKey : int64_t {};
enum class SessionKey : int64_t {};
enum class Signature : int64_t {};   // of a cause's names
enum class CauseHash : int64_t {};   // of kind, method and message
enum class RowVersion : int64_t {};  // of rows with one key, the one with the highest counts
enum class Day : int64_t {};         // since 1970; 0: the clock was wrong

struct Bytes {
  std::string bytes;
};

enum class ColumnType : uint8_t {
  kInteger,  // 64 bits, signed
  kVersion,  // 63 bits
  kText,     // clean text
  kBytes,
};

template <typename T>
constexpr ColumnType kColumnTypeOf = ColumnType::kInteger;
template <>
inline constexpr ColumnType kColumnTypeOf<RowVersion> = ColumnType::kVersion;
template <>
inline constexpr ColumnType kColumnTypeOf<std::string> = ColumnType::kText;
template <>
inline constexpr ColumnType kColumnTypeOf<Bytes> = ColumnType::kBytes;

// A column as the engines know it.
struct Column {
  const char* name;
  ColumnType type;
  const char* what;
};

// The first column is the key, the second the version.
struct Table {
  const char* name;
  const char* what;
  std::span<const Column> columns;
};

template <typename R, typename T>
struct MemberColumn {
  T R::*member;
  const char* name;
  const char* what;
};
// clang 14 does not deduce an aggregate's by itself.
template <typename R, typename T>
MemberColumn(T R::*, const char*, const char*) -> MemberColumn<R, T>;

struct HangRow {
  std::string id = {};
  RowVersion version = {};
  InstallKey install = {};
  SessionKey session = {};
  bool is_dump = false;
  Signature signature = {};
  uint64_t count = 0;
  uint64_t total_ms = 0;
  uint64_t longest_ms = 0;
  uint64_t first_time_ms = 0;
  uint64_t time_ms = 0;
  bool is_running = false;
  bool is_debugged = false;
  std::string package = {};
  std::string version_name = {};
  int64_t version_code = 0;
  std::string process = {};
  std::string model = {};
  int64_t api_level = 0;
  std::string memory = {};
  std::string scene = {};
  std::string facts = {};
  Day added_day = {};
  std::string histogram = {};
};

struct SessionRow {
  std::string id = {};
  RowVersion version = {};
  InstallKey install = {};
  Day day = {};
  uint64_t rated_ms = 0;
  uint64_t alive_ms = 0;
  uint64_t foreground_ms = 0;
  uint64_t messages = 0;
  uint64_t hangs = 0;
  uint64_t hang_ms = 0;
  uint64_t frames = 0;
  uint64_t frames_missed = 0;
  bool is_killed = false;
  bool is_control = false;
  std::string unsampled = {};
  std::string package = {};
  std::string version_name = {};
  int64_t version_code = 0;
  std::string process = {};
  std::string model = {};
  int64_t api_level = 0;
  std::string facts = {};
  Day added_day = {};
};

struct SignatureRow {
  Signature signature = {};
  RowVersion version = {};
  std::string kind = {};
  std::string method = {};
  std::string caller = {};
  std::string leaf = {};
  std::string message = {};
};

struct ExampleRow {
  std::string id = {};
  RowVersion version = {};
  Signature signature = {};
  std::string name = {};
  Bytes bytes = {};
  CauseHash cause = {};
};

struct DecisionRow {
  std::string cause = {};
  RowVersion version = {};
  std::string target = {};
};

struct ForgottenRow {
  InstallKey install = {};
  RowVersion version = {};
};

struct AnswerRow {
  std::string question = {};
  RowVersion version = {};
  std::string stamp = {};
  std::string answer = {};
};

struct MetaRow {
  std::string name = {};
  RowVersion version = {};
  std::string value = {};
};

// MemberColumns of a row's type, in the order of its members.
template <typename R>
inline constexpr int kColumnsOf = 0;

template <>
inline constexpr auto kColumnsOf<HangRow> = std::tuple{
    MemberColumn{&HangRow::id, "id",
                 "Of the record: INSTALL-STARTpPID-TOKEN; made up for other inputs"},
    MemberColumn{&HangRow::version, "version", "Revision, then size of the facts, then a hash"},
    MemberColumn{&HangRow::install, "install",
                 "Hash of the install id; of the process if that is left out"},
    MemberColumn{&HangRow::session, "session", "Hash of INSTALL-STARTpPID"},
    MemberColumn{&HangRow::is_dump, "source", "0: a record; 1: a dump or another tool's file"},
    MemberColumn{&HangRow::signature, "signature", "Key of signatures"},
    MemberColumn{&HangRow::count, "count", "Equal hangs"},
    MemberColumn{&HangRow::total_ms, "total_ms", "Their time together"},
    MemberColumn{&HangRow::longest_ms, "longest_ms", "The longest of them"},
    MemberColumn{&HangRow::first_time_ms, "first_time_ms",
                 "End of the first, since 1970; 0: the clock was wrong"},
    MemberColumn{&HangRow::time_ms, "time_ms",
                 "End of the last, since 1970; 0: the clock was wrong"},
    MemberColumn{&HangRow::is_running, "running", "1: had not ended when it was written"},
    MemberColumn{&HangRow::is_debugged, "debugged", "1: under a debugger; counts in no sum"},
    MemberColumn{&HangRow::package, "package", "Of the application"},
    MemberColumn{&HangRow::version_name, "version_name", "Of the application"},
    MemberColumn{&HangRow::version_code, "version_code", "Of the application; 0: unknown"},
    MemberColumn{&HangRow::process, "process", "Name of the process"},
    MemberColumn{&HangRow::model, "model", "Of the device"},
    MemberColumn{&HangRow::api_level, "api_level", "0: unknown"},
    MemberColumn{&HangRow::memory, "memory", "Class of the device: BEST, HIGH, MIDDLE, LOW or BAD"},
    MemberColumn{&HangRow::scene, "scene", "As the application named it"},
    MemberColumn{&HangRow::facts, "facts", "Other facts: a line NAME=VALUE each, by name"},
    MemberColumn{&HangRow::added_day, "added_day", "When it was added, in days since 1970"},
    MemberColumn{&HangRow::histogram, "histogram",
                 "MS:COUNT, from so many ms to twice as many, with spaces"}};

template <>
inline constexpr auto kColumnsOf<SessionRow> = std::tuple{
    MemberColumn{&SessionRow::id, "id", "INSTALL-STARTpPID"},
    MemberColumn{&SessionRow::version, "version", "As in hangs"},
    MemberColumn{&SessionRow::install, "install", "As in hangs"},
    MemberColumn{&SessionRow::day, "day", "In days since 1970; 0: the clock was wrong"},
    MemberColumn{&SessionRow::rated_ms, "rated_ms",
                 "In the foreground, watched: what rates refer to"},
    MemberColumn{&SessionRow::alive_ms, "alive_ms", "Since the profiler was started"},
    MemberColumn{&SessionRow::foreground_ms, "foreground_ms", "In the foreground"},
    MemberColumn{&SessionRow::messages, "messages", "Of the main thread"},
    MemberColumn{&SessionRow::hangs, "hangs", "Recorded or not"},
    MemberColumn{&SessionRow::hang_ms, "hang_ms", "Their time together"},
    MemberColumn{&SessionRow::frames, "frames", "Drawn"},
    MemberColumn{&SessionRow::frames_missed, "frames_missed",
                 "Refresh intervals without the frame that was due"},
    MemberColumn{&SessionRow::is_killed, "killed", "1: the process was killed"},
    MemberColumn{&SessionRow::is_control, "control", "1: of the control group"},
    MemberColumn{&SessionRow::unsampled, "unsampled",
                 "Why there were no samples; empty: there were, or it is of the control group"},
    MemberColumn{&SessionRow::package, "package", "As in hangs"},
    MemberColumn{&SessionRow::version_name, "version_name", "As in hangs"},
    MemberColumn{&SessionRow::version_code, "version_code", "As in hangs"},
    MemberColumn{&SessionRow::process, "process", "As in hangs"},
    MemberColumn{&SessionRow::model, "model", "As in hangs"},
    MemberColumn{&SessionRow::api_level, "api_level", "As in hangs"},
    MemberColumn{&SessionRow::facts, "facts", "As in hangs"},
    MemberColumn{&SessionRow::added_day, "added_day", "As in hangs"}};

template <>
inline constexpr auto kColumnsOf<SignatureRow> = std::tuple{
    MemberColumn{&SignatureRow::signature, "signature",
                 "Hash of the names without what builds change"},
    MemberColumn{&SignatureRow::version, "version", "Hash of the names: the highest is shown"},
    MemberColumn{&SignatureRow::kind, "kind", "Of the verdict; empty: the record had no facts"},
    MemberColumn{&SignatureRow::method, "method", "The application's; empty: none"},
    MemberColumn{&SignatureRow::caller, "caller", "That called it"},
    MemberColumn{&SignatureRow::leaf, "leaf", "Its hot callee, or itself"},
    MemberColumn{&SignatureRow::message, "message", "Target and callback"}};

template <>
inline constexpr auto kColumnsOf<ExampleRow> =
    std::tuple{MemberColumn{&ExampleRow::id, "id", "As in hangs"},
               MemberColumn{&ExampleRow::version, "version", "As in hangs"},
               MemberColumn{&ExampleRow::signature, "signature", "As in hangs"},
               MemberColumn{&ExampleRow::name, "name", "Of the file"},
               MemberColumn{&ExampleRow::bytes, "bytes", "The file as it was added"},
               MemberColumn{&ExampleRow::cause, "cause",
                            "Hash of kind, method and message; of each 20 count"}};

template <>
inline constexpr auto kColumnsOf<DecisionRow> = std::tuple{
    MemberColumn{&DecisionRow::cause, "cause", "A cause as it is without decisions"},
    MemberColumn{&DecisionRow::version, "version", "When it was decided, in ns since 1970"},
    MemberColumn{&DecisionRow::target, "target",
                 "The cause that it belongs to; its own: it stays alone"}};

template <>
inline constexpr auto kColumnsOf<ForgottenRow> =
    std::tuple{MemberColumn{&ForgottenRow::install, "install", "Hash of the install id"},
               MemberColumn{&ForgottenRow::version, "version", "When, in ns since 1970"}};

template <>
inline constexpr auto kColumnsOf<AnswerRow> =
    std::tuple{MemberColumn{&AnswerRow::question, "query", "What was asked"},
               MemberColumn{&AnswerRow::version, "version", "When, in ns since 1970"},
               MemberColumn{&AnswerRow::stamp, "stamp", "The store's stamp at that time"},
               MemberColumn{&AnswerRow::answer, "answer", "As it was written"}};

template <>
inline constexpr auto kColumnsOf<MetaRow> =
    std::tuple{MemberColumn{&MetaRow::name, "name", "schema, stamp"},
               MemberColumn{&MetaRow::version, "version", "When, in ns since 1970"},
               MemberColumn{&MetaRow::value, "value",
                            "Version of these tables; changes with each change of the store"}};

template <typename R>
inline constexpr auto kColumnArrayOf = std::apply(
    []<typename... T>(const MemberColumn<R, T>&... columns) {
      return std::array<Column, sizeof...(T)>{
          Column{columns.name, kColumnTypeOf<T>, columns.what}...};
    },
    kColumnsOf<R>);

// The table with a row's type.
template <typename R>
inline constexpr Table kTableFor = {};
template <>
inline constexpr Table kTableFor<HangRow> = {"hangs", "A row for each record, or hang of a dump",
                                             kColumnArrayOf<HangRow>};
template <>
inline constexpr Table kTableFor<SessionRow> = {"sessions", "A row for each process",
                                                kColumnArrayOf<SessionRow>};
template <>
inline constexpr Table kTableFor<SignatureRow> = {
    "signatures", "Names of causes; equal ones are joined", kColumnArrayOf<SignatureRow>};
template <>
inline constexpr Table kTableFor<ExampleRow> = {"examples", "Files that open as reports",
                                                kColumnArrayOf<ExampleRow>};
template <>
inline constexpr Table kTableFor<DecisionRow> = {"decisions", "Causes merged or split by hand",
                                                 kColumnArrayOf<DecisionRow>};
template <>
inline constexpr Table kTableFor<ForgottenRow> = {
    "forgotten", "Installs that are never added again", kColumnArrayOf<ForgottenRow>};
template <>
inline constexpr Table kTableFor<AnswerRow> = {"kept", "Answers that took long",
                                               kColumnArrayOf<AnswerRow>};
template <>
inline constexpr Table kTableFor<MetaRow> = {"meta", "Facts of the store", kColumnArrayOf<MetaRow>};

inline constexpr const Table& kHangs = kTableFor<HangRow>;
inline constexpr const Table& kSessions = kTableFor<SessionRow>;
inline constexpr const Table& kSignatures = kTableFor<SignatureRow>;
inline constexpr const Table& kExamples = kTableFor<ExampleRow>;
inline constexpr const Table& kDecisions = kTableFor<DecisionRow>;
inline constexpr const Table& kForgotten = kTableFor<ForgottenRow>;
inline constexpr const Table& kKept = kTableFor<AnswerRow>;
inline constexpr const Table& kMeta = kTableFor<MetaRow>;
inline constexpr std::array<const Table*, 8> kTables = {
    &kHangs, &kSessions, &kSignatures, &kExamples, &kDecisions, &kForgotten, &kKept, &kMeta};

// docs/reference/store.md.
std::string SchemaReference();

}  // namespace stillframe::fleet
