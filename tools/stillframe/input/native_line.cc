// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/native_line.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <span>
#include <utility>

#include "tools/stillframe/input/lines.h"

namespace stillframe::input {
namespace {

constexpr std::string_view kNoSymbol = "\?\?\?";  // escaped, since ??) is a trigraph
constexpr std::string_view kHex = "0123456789abcdefABCDEF";

bool IsPerfLine(std::string_view line) {
  const size_t digits = std::min(line.find_first_not_of(kHex), line.size());
  return digits >= 8 && line.substr(digits).starts_with(' ') && line.ends_with(')') &&
         line.find(" (") != std::string_view::npos;
}

bool EndsWithAny(std::string_view text, std::span<const std::string_view> ends) {
  return std::ranges::any_of(
      ends, [text](std::string_view end) { return text.ends_with(end); });
}

// A file or mapping with managed code, and whether the code is compiled; nothing for others.
std::optional<model::FrameKind> KindOfFile(std::string_view path) {
  constexpr std::array<std::string_view, 2> kCompiled = {".oat", ".odex"};
  constexpr std::array<std::string_view, 5> kInterpreted = {".dex", ".jar", ".apk", ".vdex",
                                                            ".cdex"};
  while (path.ends_with(']') || path.ends_with('>')) path.remove_suffix(1);
  if (path.ends_with(".so")) return std::nullopt;
  const bool is_jit = path.find("jit-cache") != std::string_view::npos ||
                      path.find("jit-code-cache") != std::string_view::npos ||
                      path.find("jit-zygote-cache") != std::string_view::npos ||
                      path.starts_with("[JIT ");  // simpleperf
  if (is_jit || EndsWithAny(path, kCompiled)) return model::FrameKind::kCompiled;
  const bool is_in_memory = path.starts_with("[anon:dalvik-") || path.starts_with("<anonymous:");
  if (is_in_memory || EndsWithAny(path, kInterpreted)) return model::FrameKind::kInterpreted;
  return std::nullopt;
}

}  // namespace

bool IsMethodName(std::string_view name) {
  if (name.find('.') == std::string_view::npos) return false;
  bool begins = true;
  for (const char c : name) {
    const auto code = static_cast<unsigned char>(c);
    const bool is_part = std::isalnum(code) != 0 || code >= 0x80 ||
                         std::string_view("_$-<>").find(c) != std::string_view::npos;
    if (c == '.' ? begins : !is_part || (begins && std::isdigit(code) != 0)) return false;
    begins = c == '.';
  }
  return !begins;
}

bool IsNativeLine(std::string_view line) {
  return line.starts_with("native: ") || line.starts_with("kernel: ") || IsPerfLine(line) ||
         (line.size() > 3 && line[0] == '#' && line[1] >= '0' && line[1] <= '9' &&
          line.find(" pc ") != std::string_view::npos);
}

std::optional<NativeLine> ParseNativeLine(std::string_view line) {
  const bool is_perf = IsPerfLine(line);
  std::string_view rest = Trimmed(is_perf ? line : After(line, " pc "));
  if (rest.starts_with("0x")) rest.remove_prefix(2);
  NativeLine native;
  const auto [end, code] =
      std::from_chars(rest.data(), rest.data() + rest.size(), native.address, 16);
  if (code != std::errc()) return std::nullopt;
  rest = Trimmed(rest.substr(static_cast<size_t>(end - rest.data())));
  if (const size_t at = rest.find(" (BuildId: "); at != std::string_view::npos) {
    const std::string_view id = rest.substr(at + 11);
    native.build_id = id.substr(0, id.find(')'));
    rest = Trimmed(rest.substr(0, at));
  }
  constexpr std::string_view kDeleted = " (deleted))";
  const bool is_deleted = is_perf && rest.ends_with(kDeleted);
  const size_t end_of_path = rest.size() - (is_deleted ? kDeleted.size() : 1);
  const size_t open = is_perf ? rest.substr(0, end_of_path).rfind(" (") : rest.find(" (");
  const std::string_view before = Trimmed(rest.substr(0, open));
  std::string_view behind = open == std::string_view::npos ? "" : Trimmed(rest.substr(open));
  while (!is_perf && (behind.starts_with("(offset ") || behind.starts_with("(deleted)")))
    behind = Trimmed(After(behind, ")"));
  const bool is_whole = behind.size() > 2 && behind.starts_with('(') && behind.ends_with(')');
  behind = is_whole ? behind.substr(1, behind.size() - 2) : std::string_view();
  if (is_deleted) behind = behind.substr(0, behind.rfind(" ("));
  native.path = is_perf ? behind : before;
  const std::string_view symbol = is_perf ? before : behind;
  if (symbol != kNoSymbol && symbol != "[unknown]") native.symbol = symbol;
  return native;
}

std::optional<ManagedMethod> ManagedMethodOf(std::string_view path, std::string_view symbol) {
  const auto kind = KindOfFile(path);
  if (!kind) return std::nullopt;
  const size_t plus = symbol.rfind('+');
  if (plus != std::string_view::npos) symbol = symbol.substr(0, plus);
  symbol = Trimmed(symbol.substr(0, symbol.find('(')));
  symbol = Trimmed(symbol.substr(0, symbol.find(" [DEDUPED]")));
  if (const size_t type = symbol.rfind(' '); type != std::string_view::npos)
    symbol.remove_prefix(type + 1);
  std::string name(symbol);
  // "La/B;->c"
  if (const size_t arrow = name.find(";->"); name.starts_with('L') && arrow != std::string::npos) {
    name = name.substr(1, arrow - 1) + "." + name.substr(arrow + 3);
    std::ranges::replace(name, '/', '.');
  }
  if (!IsMethodName(name)) return std::nullopt;
  return ManagedMethod{std::move(name), *kind};
}

bool IsBridge(std::string_view symbol) {
  constexpr std::array<std::string_view, 15> kBegins = {"art_quick_",
                                                        "art_jni_",
                                                        "art_invoke_",
                                                        "artQuick",
                                                        "artInterpreter",
                                                        "artJni",
                                                        "nterp_",
                                                        "Nterp",
                                                        "mterp_",
                                                        "Mterp",
                                                        "ExecuteNterpImpl",
                                                        "ExecuteMterpImpl",
                                                        "ExecuteSwitchImpl",
                                                        "art::interpreter::",
                                                        "art::ArtMethod::Invoke"};
  symbol = symbol.substr(std::min(symbol.find_first_not_of('_'), symbol.size()));
  return std::ranges::any_of(
      kBegins, [symbol](std::string_view begin) { return symbol.starts_with(begin); });
}

}  // namespace stillframe::input
