// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/escaped_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "tools/stillframe/input/lines.h"

namespace stillframe::input {
namespace {

int HexDigit(char c) { return IsDigit(c) ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

// Takes the escape behind the backslash at `*at` and leaves `*at` at its last character.
void TakeEscape(std::string_view text, size_t* at, std::string* out) {
  const char next = text[++*at];
  switch (next) {
    case 'n': *out += '\n'; return;
    case 't': *out += '\t'; return;
    case 'r': return;  // before \n
    case 'u': {
      const auto unit = [text](size_t digits) {
        uint32_t code = 0;
        const std::string_view four = text.substr(std::min(digits, text.size()), 4);
        const auto read = std::from_chars(four.data(), four.data() + four.size(), code, 16);
        return read.ptr == four.data() + 4 ? code : 0;
      };
      uint32_t code = unit(*at + 1);
      if (code == 0) break;
      *at += 4;
      const uint32_t low = text.substr(*at + 1).starts_with("\\u") ? unit(*at + 3) : 0;
      if (IsHighSurrogate(code) && IsLowSurrogate(low)) {
        code = JoinedSurrogates(code, low);
        *at += 6;
      }
      AppendUtf8(code, out);
      return;
    }
    default: break;
  }
  if (std::string_view("\"\\/'$").find(next) == std::string_view::npos) *out += '\\';
  *out += next;
}

// The string in quotation marks that begins at `begin`, with its marks, if it spells a line end; 0:
// none there. Within, a mark has a backslash in front or is doubled, as in a table.
size_t LengthOfString(std::string_view text, size_t begin) {
  constexpr std::string_view kBefore = "=:,;|([{ \t\n";
  if (text[begin] != '"' || (begin > 0 && kBefore.find(text[begin - 1]) == std::string_view::npos))
    return 0;
  bool has_line_end = false;
  std::optional<bool> is_doubled;  // an escaped mark: JSON in a table
  for (size_t i = begin + 1; i < text.size(); ++i) {
    const std::string_view behind = text.substr(i + 1);
    if (text[i] == '\n') return 0;
    if (text[i] == '\\') {
      has_line_end = has_line_end || behind.starts_with('n');
      ++i;
      if (!behind.starts_with('"')) continue;
      if (!is_doubled) is_doubled = behind.starts_with("\"\"");
      if (*is_doubled && behind.starts_with("\"\"")) ++i;
    } else if (text[i] == '"') {
      if (!behind.starts_with('"')) return has_line_end ? i + 1 - begin : 0;
      ++i;
    }
  }
  return 0;
}

void AppendUnescaped(std::string_view text, bool is_string, std::string* out) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      const bool is_mark = text[i + 1] == '"';
      TakeEscape(text, &i, out);
      // A mark of a string within a cell is doubled, too.
      if (is_string && is_mark && text.substr(i + 1).starts_with('"')) ++i;
    } else {
      if (is_string && text.substr(i).starts_with("\"\"")) ++i;
      *out += text[i];
    }
  }
}

// The length of the HTML tag or comment that `text` begins with; 0: none. Names in brackets that
// Java and C++ write, such as "<init>", are not tags.
size_t TagLength(std::string_view text) {
  constexpr std::array<std::string_view, 33> kNames = {
      "html", "head", "body",       "title", "meta",   "link", "style", "script", "p",
      "br",   "hr",   "div",        "span",  "pre",    "code", "tt",    "b",      "i",
      "em",   "a",    "ul",         "ol",    "li",     "h1",   "h2",    "h3",     "font",
      "td",   "tr",   "blockquote", "img",   "strong", "table"};
  if (text.starts_with("<!--")) return std::min(text.find("-->"), text.size() - 3) + 3;
  const size_t end = text.find('>');
  if (!text.starts_with('<') || end == std::string_view::npos) return 0;
  std::string name;
  for (const char c : text.substr(text.starts_with("</") ? 2 : 1)) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) break;
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const bool is_tag = std::ranges::find(kNames, std::string_view(name)) != kNames.end() ||
                      text.starts_with("<!DOCTYPE") || text.starts_with("<!doctype");
  if (!is_tag) return 0;
  if (name != "style" && name != "script") return end + 1;
  if (text[1] == '/') return end + 1;
  const size_t close = text.find("</" + name);  // with what is between them
  return close == std::string_view::npos ? 0 : close;
}

// The character of the entity that `text` begins with, and the entity's length; 0: none.
std::pair<uint32_t, size_t> EntityAt(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 6> kEntities = {{{"&lt;", '<'},
                                                                           {"&gt;", '>'},
                                                                           {"&quot;", '"'},
                                                                           {"&apos;", '\''},
                                                                           {"&nbsp;", ' '},
                                                                           {"&amp;", '&'}}};
  if (text[0] != '&') return {};
  for (const auto& [entity, c] : kEntities)
    if (text.starts_with(entity)) return {static_cast<uint8_t>(c), entity.size()};
  const size_t end = text.substr(0, 10).find(';');
  if (!text.starts_with("&#") || end == std::string_view::npos) return {};
  std::string_view digits = text.substr(2, end - 2);
  const bool is_hex = digits.starts_with('x') || digits.starts_with('X');
  if (is_hex) digits.remove_prefix(1);
  uint32_t code = 0;
  const auto read =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
  if (read.ptr != digits.data() + digits.size() || code == 0 || code > 0x10FFFF) return {};
  return {code == 0xA0 ? ' ' : code, end + 1};
}

}  // namespace

void AppendUtf8(uint32_t code, std::string* out) {
  if (code < 0x80) {
    *out += static_cast<char>(code);
  } else if (code < 0x800) {
    *out += static_cast<char>(0xC0 | code >> 6);
    *out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    *out += static_cast<char>(0xE0 | code >> 12);
    *out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    *out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    *out += static_cast<char>(0xF0 | code >> 18);
    *out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    *out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    *out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

// A mail's quoted-printable: "=" at the end of a line continues it, "=3D" is a character.
std::optional<std::string> WithoutQuotedPrintable(std::string_view text) {
  size_t broken = 0;
  ForEachLine(text, [&broken](std::string_view line) { broken += line.ends_with('=') ? 1U : 0U; });
  if (text.find("=3D") == std::string_view::npos || broken < 2) return std::nullopt;
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '=' && i + 1 < text.size() && text[i + 1] == '\n') {
      ++i;
    } else if (text[i] == '=' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 &&
               HexDigit(text[i + 2]) >= 0) {
      out += static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::optional<std::string> WithoutEscapes(std::string_view text, bool is_forced) {
  constexpr size_t kFew = 3;
  size_t escapes = 0;
  for (size_t at = text.find("\\n"); at != std::string_view::npos; at = text.find("\\n", at + 2))
    ++escapes;
  const auto lines = static_cast<size_t>(std::ranges::count(text, '\n'));
  const std::string_view whole = Trimmed(text);
  const bool is_json = whole.starts_with('{') || whole.starts_with('[');
  if (escapes < kFew || escapes < lines / 2 || (is_json && !is_forced)) return std::nullopt;
  std::string out;
  size_t done = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
      continue;
    }
    const size_t length = LengthOfString(text, i);
    if (length == 0) continue;
    // The text of a string is whole lines.
    AppendUnescaped(text.substr(done, i - done), false, &out);
    if (!out.empty() && !out.ends_with('\n')) out += '\n';
    AppendUnescaped(text.substr(i + 1, length - 2), true, &out);
    out += out.ends_with('\n') ? "\n" : "\n\n";  // what follows is not of the trace
    done = i + length;
    i = done - 1;
  }
  AppendUnescaped(text.substr(done), false, &out);
  return out;
}

// A page, or a part of one. In it, each "<" begins a tag, since others are entities.
std::optional<std::string> WithoutHtml(std::string_view text) {
  const bool has_entities = text.find("&lt;") != std::string_view::npos ||
                            text.find("&quot;") != std::string_view::npos ||
                            text.find("&#") != std::string_view::npos;
  if (!has_entities) return std::nullopt;
  // Some escape the quotation marks only.
  const bool has_plain_brackets = text.find("&lt;") == std::string_view::npos &&
                                  (text.find("&quot; prio=") != std::string_view::npos ||
                                   text.find("&quot; tid=") != std::string_view::npos);
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    if (const auto [code, length] = EntityAt(rest); length > 0) {
      AppendUtf8(code, &out);
      i += length;
    } else if (rest[0] != '<') {
      out += text[i++];
    } else {
      const size_t tag = TagLength(rest);
      if (tag == 0 && !has_plain_brackets) return std::nullopt;
      if (tag == 0) {
        out += text[i++];
        continue;
      }
      const std::string_view behind = rest.substr(1);
      const bool ends_line = behind.starts_with("br") || behind.starts_with("BR") ||
                             behind.starts_with("/p") || behind.starts_with("/div") ||
                             behind.starts_with("/li") || behind.starts_with("/tr") ||
                             behind.starts_with("pre");
      i += tag;
      if (ends_line && !text.substr(i).starts_with('\n')) out += '\n';
    }
  }
  if (out == text) return std::nullopt;
  return out;
}

// A table with quotation marks around its texts, and doubled ones within: each cell is a line.
std::optional<std::string> WithoutCells(std::string_view text) {
  const auto is_head = [](std::string_view line) {
    return line.starts_with("\"\"") && line.size() > 2 && line[2] != ' ' && line[2] != '"' &&
           line.find("\"\" ") != std::string_view::npos &&
           line.find("id=") != std::string_view::npos;
  };
  bool has_head = false;
  ForEachLine(text, [&](std::string_view line) { has_head = has_head || is_head(line); });
  if (!has_head) return std::nullopt;
  std::string out;
  bool is_quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins_line = i == 0 || text[i - 1] == '\n';
    if (begins_line && !is_quoted && is_head(text.substr(i, text.find('\n', i) - i)))
      return std::nullopt;
    if (c == '"' && is_quoted && text.substr(i + 1).starts_with('"'))
      out += text[i++];
    else if (c == '"')
      is_quoted = !is_quoted;
    else
      out += !is_quoted && (c == ',' || c == ';' || c == '\t') ? '\n' : c;
  }
  return out;
}

}  // namespace stillframe::input
