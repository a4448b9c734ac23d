// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/words/filled_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/stillframe/index/clean_text.h"

namespace stillframe::words {

std::string Capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string WithoutPackage(std::string_view method) {
  std::string text;
  while (true) {
    const size_t bar = method.find('|');
    const std::string_view one = method.substr(0, bar);
    const size_t name = one.rfind('.');
    const bool has_class = name != 0 && name != std::string_view::npos && !one.ends_with("...");
    const size_t of_class = has_class ? one.rfind('.', name - 1) : std::string_view::npos;
    text += of_class == std::string_view::npos ? one : one.substr(of_class + 1);
    if (bar == std::string_view::npos) return text;
    text += '|';
    method.remove_prefix(bar + 1);
  }
}

namespace {

// At most `room` characters: the middle of the class is cut before the method.
std::string ShortMethod(std::string_view method, size_t room) {
  const std::string whole = WithoutPackage(method);
  const std::string_view known = whole;
  const size_t dot = known.rfind('.');
  const size_t length = index::CharacterCount(known);
  if (length <= room || dot == std::string_view::npos) return index::Truncated(known, room);
  const size_t name = length - index::CharacterCount(known.substr(0, dot));
  return name + 3 > room
             ? index::Truncated(known, room)
             : index::Truncated(known.substr(0, dot), room - name).append(known.substr(dot));
}

}  // namespace

std::string Filled(std::string_view form, const std::string& name, bool is_headline,
                   const Args& args, NameKind kind) {
  std::string before;
  std::string after;
  std::string* text = &before;
  while (!form.empty()) {
    const size_t open = std::min(form.find('{'), form.size());
    const size_t close = form.find('}', open);
    *text += form.substr(0, open);
    form.remove_prefix(open);
    if (close == std::string_view::npos) {
      *text += form;
      break;
    }
    const std::string_view braced = form.substr(0, close + 1 - open);
    const std::string_view key = braced.substr(1, braced.size() - 2);
    form.remove_prefix(braced.size());
    // A name that the form contains, as of a process, may have braces of its own.
    if (key != "name")
      *text += args.contains(key) ? args.at(key) : braced;
    else if (is_headline)
      text = &after;
    else
      *text += name;
  }
  if (text == &before) return is_headline ? index::Truncated(before, kLongestHeadline) : before;
  const size_t used = index::CharacterCount(before) + index::CharacterCount(after);
  const size_t room = std::max(kLongestHeadline, used + 8) - used;
  const std::string short_name =
      kind == NameKind::kThread ? index::Truncated(name, room) : ShortMethod(name, room);
  return index::Truncated(before + short_name + after, kLongestHeadline);
}

}  // namespace stillframe::words
