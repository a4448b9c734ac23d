// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/naming/document_names.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "src/dump/each_field.h"
#include "src/model/frame.h"
#include "tools/stillframe/naming/retrace.h"

namespace stillframe::naming {
namespace {

// Names in the Signal Catcher's text: "  at a.b.c(SourceFile:12)" and "  - locked <0x1> (a a.b)",
// as art/runtime/thread.cc writes them (AOSP 10 to 14).

struct TextNames {
  // The frames to replace a frame; nothing keeps it. `outline_line`: see Retrace.
  std::function<std::optional<Retraced>(const ObfuscatedFrame& frame,
                                        std::optional<int32_t> outline_line)>
      frames;
  std::function<std::string(const std::string& name)> class_name;
};

constexpr std::string_view kFrameMark = "  at ";
constexpr std::string_view kNative = "Native method";
constexpr std::string_view kLockMark = "> (a ";

// The name of the class in a type: "a.b" in "a.b[]" and "java.lang.Class<a.b>", "a/b" in "[La/b;".
// Empty for arrays of numbers.
std::string_view ClassIn(std::string_view type) {
  bool is_descriptor = false;
  while (true) {
    if (type.starts_with('[')) {
      is_descriptor = true;
      type.remove_prefix(1);
    } else if (type.ends_with("[]")) {
      type.remove_suffix(2);
    } else if (const size_t open = type.find('<'); type.ends_with('>') && open < type.size()) {
      type = type.substr(open + 1, type.size() - open - 2);
    } else {
      break;
    }
  }
  if (type.starts_with('L') && type.ends_with(';')) return type.substr(1, type.size() - 2);
  return is_descriptor ? std::string_view() : type;
}

std::string WithDots(std::string_view name) {
  std::string dotted(name);
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  return dotted;
}

// Parses "  at a.b.c(SourceFile:12)". False for any other line.
bool ParseFrame(std::string_view line, ObfuscatedFrame* frame) {
  const size_t open = line.rfind('(');
  if (!line.starts_with(kFrameMark) || open == std::string_view::npos || !line.ends_with(')'))
    return false;
  std::string_view name = line.substr(kFrameMark.size(), open - kFrameMark.size());
  if (name.ends_with(' ')) name.remove_suffix(1);
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  std::string_view place = line.substr(open + 1, line.size() - open - 2);
  int32_t number = place == kNative ? model::kLineNative : model::kLineUnknown;
  const size_t colon = place.rfind(':');
  if (colon != std::string_view::npos) {
    std::from_chars(place.data() + colon + 1, place.data() + place.size(), number);
    place = place.substr(0, colon);
  }
  *frame = {name.substr(0, dot), name.substr(dot + 1), {}, place, number};
  return true;
}

std::string FrameLine(const NamedFrame& frame) {
  std::string place = frame.line == model::kLineNative ? std::string(kNative) : frame.source_file;
  if (frame.line >= 0) place += ":" + std::to_string(frame.line);
  return std::string(kFrameMark) + frame.class_name + "." + frame.method_name + "(" + place + ")\n";
}

// `outline_line` goes from an outline's frame to its caller's in the same stack.
std::string RestoreLine(std::string_view line, const TextNames& names,
                        std::optional<int32_t>* outline_line) {
  ObfuscatedFrame frame = {};
  if (line.empty()) outline_line->reset();
  if (ParseFrame(line, &frame)) {
    const std::optional<Retraced> retraced =
        names.frames(frame, std::exchange(*outline_line, std::nullopt));
    if (retraced) {
      std::string lines;
      if (retraced->is_outline) *outline_line = retraced->outline_line;
      for (const NamedFrame& named : retraced->frames) lines += FrameLine(named);
      return lines;
    }
  }
  const size_t lock = line.find(kLockMark);
  const size_t begin = lock + kLockMark.size();
  const size_t end = lock == std::string_view::npos ? lock : line.find(')', begin);
  if (end == std::string_view::npos) return std::string(line) + "\n";
  return std::string(line.substr(0, begin)) +
         names.class_name(std::string(line.substr(begin, end - begin))) +
         std::string(line.substr(end)) + "\n";
}

// The text with restored names. A frame with inlined methods becomes a line for each; a
// compiler-generated frame is dropped. Each line ends with a line feed.
std::string RestoreText(std::string_view text, const TextNames& names) {
  std::string out;
  std::optional<int32_t> outline_line;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    out += RestoreLine(text.substr(0, end), names, &outline_line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

constexpr std::string_view kMapIdMark = "r8-map-id-";

void AddDescriptorClasses(std::string_view descriptor, TextSet* names) {
  for (size_t at = descriptor.find('L'); at != std::string_view::npos;
       at = descriptor.find('L', at)) {
    const size_t end = descriptor.find(';', at);
    if (end == std::string_view::npos) return;
    names->insert(WithDots(descriptor.substr(at + 1, end - at - 1)));
    at = end;
  }
}

// Space for frames that each become several, with names of a kilobyte.
model::FrameTableLimits RoomFor(const model::FrameTable& frames) {
  const uint64_t room = std::min<uint64_t>(uint64_t{frames.size()} * 64 + 1024, 1U << 21U);
  return {.max_frames = static_cast<uint32_t>(room),
          .max_strings = static_cast<uint32_t>(room),
          .max_string_bytes = static_cast<uint32_t>(
              std::min<uint64_t>(uint64_t{frames.size()} * 1024 + (1U << 20U), 256U << 20U))};
}

class Restorer {
 public:
  Restorer(std::span<const Mapping* const> mappings, model::Document* document)
      : mappings_(mappings), document_(*document), known_(document->frames.size()) {}

  RestoreResult Restore() {
    for (auto* trees : {&document_.trees, &document_.thread_trees})
      for (model::TraceTree& tree : *trees) tree = Rebuilt(tree);
    if (document_.thread_stacks)
      for (model::ThreadStack& stack : document_.thread_stacks->stacks) RestoreStack(&stack.frames);
    document_.frames = std::move(frame_table_);
    ForEachClassName(&document_, [this](std::string* name) { *name = ClassName(*name); });
    if (document_.signal_catcher) {
      std::string& text = document_.signal_catcher->text;
      text = RestoreText(text, {[this](const ObfuscatedFrame& frame, auto outline_line) {
                                  const Mapping* mapping = MappingFor(frame);
                                  return mapping == nullptr
                                             ? std::nullopt
                                             : Retrace(*mapping, frame, outline_line);
                                },
                                [this](const std::string& name) { return ClassName(name); }});
    }
    return std::move(result_);
  }

  // Calls visit(std::string*) for each class name of a document outside its frames.
  template <typename Visit>
  static void ForEachClassName(model::Document* document, const Visit& visit) {
    dump::ForEachField(
        document,
        [&visit](const dump::Row& row, auto& field, bool is_segment) {
          if constexpr (std::is_same_v<decltype(field), std::string&>) {
            if (!row.is_class) return;
            const bool is_method = is_segment && row.omit_of_segments != 0;
            const size_t end = is_method ? std::min(field.rfind('.'), field.size()) : field.size();
            std::string class_name = field.substr(0, end);
            visit(&class_name);
            field.replace(0, end, class_name);
          }
        });
  }

 private:
  // The frames that replace one frame.
  struct Known {
    bool is_done = false;
    std::optional<int32_t> outline_line;  // for the caller of an outline
    std::vector<model::FrameId> frames;   // innermost first
  };

  // The name of a class, or of a type with one.
  std::string ClassName(const std::string& type) {
    const std::string_view name = ClassIn(type);
    const std::string dotted = type.ends_with(';') ? WithDots(name) : std::string(name);
    for (const Mapping* mapping : mappings_) {
      if (!mapping->classes.contains(dotted)) continue;
      result_.knows_a_class = true;
      std::string original = OriginalClass(*mapping, dotted);
      if (name != dotted) std::replace(original.begin(), original.end(), '.', '/');
      return std::string(type).replace(static_cast<size_t>(name.data() - type.data()), name.size(),
                                       original);
    }
    return type;
  }

  // The mapping for a frame; null: none.
  const Mapping* MappingFor(const ObfuscatedFrame& frame) {
    std::string_view id;
    if (frame.source_file.starts_with(kMapIdMark)) id = frame.source_file.substr(kMapIdMark.size());
    bool is_id_known = id.empty();
    for (const Mapping* mapping : mappings_) {
      const bool is_right = id.empty() || IsSameMapId(mapping->map_id, id);
      is_id_known = is_id_known || is_right;
      if (!is_right || !mapping->classes.contains(std::string(frame.class_name))) continue;
      result_.knows_a_class = true;
      return mapping;
    }
    std::vector<std::string>& unknown = result_.unknown_map_ids;
    if (!is_id_known && std::find(unknown.begin(), unknown.end(), id) == unknown.end())
      unknown.emplace_back(id);
    return nullptr;
  }

  bool IsHalfRestored(const ObfuscatedFrame& frame) const {
    for (const Mapping* mapping : mappings_) {
      const auto renamed = mapping->obfuscated_names.find(std::string(frame.class_name));
      if (renamed == mapping->obfuscated_names.end()) continue;
      const auto& members = mapping->classes.at(renamed->second).members;
      const auto is_original = [&frame](const auto& named) {
        return std::ranges::any_of(named.second, [&frame](const Member& member) {
          return member.class_name.empty() && member.method_name == frame.method_name;
        });
      };
      return members.contains(std::string(frame.method_name)) &&
             std::ranges::none_of(members, is_original);
    }
    return false;
  }

  Known Translate(model::FrameId id, std::optional<int32_t> outline_line) {
    const model::FrameTable& old = document_.frames;
    const model::Frame& frame = old.At(id);
    const ObfuscatedFrame obfuscated = {old.String(frame.class_name), old.String(frame.method_name),
                                        old.String(frame.signature), old.String(frame.source_file),
                                        frame.line};
    const Mapping* mapping =
        frame.kind == model::FrameKind::kTruncated ? nullptr : MappingFor(obfuscated);
    Known known = {.is_done = true, .outline_line = std::nullopt, .frames = {}};
    if (mapping == nullptr) {
      const bool is_half = IsHalfRestored(obfuscated);
      result_.half_restored += is_half ? 1U : 0U;
      result_.knows_a_class = result_.knows_a_class || is_half;
      known.frames.push_back(frame_table_.InternFrame(
          obfuscated.class_name, obfuscated.method_name, obfuscated.descriptor,
          obfuscated.source_file, is_half ? model::kLineUnknown : frame.line, frame.kind));
      return known;
    }
    const Retraced retraced = *Retrace(*mapping, obfuscated, outline_line);
    ++result_.frames_named;
    if (retraced.is_outline) known.outline_line = retraced.outline_line;
    for (const NamedFrame& named : retraced.frames) {
      // The descriptor belongs to the outermost method. Those of inlined methods are unknown.
      const bool is_own = &named == &retraced.frames.back() && !retraced.drops_outermost;
      known.frames.push_back(frame_table_.InternFrame(
          named.class_name, named.method_name,
          is_own ? OriginalDescriptor(*mapping, obfuscated.descriptor) : std::string(),
          named.source_file, named.line,
          &named == &retraced.frames.front() || frame.kind != model::FrameKind::kCompiledOrInlined
              ? frame.kind
              : model::FrameKind::kCompiled));
    }
    return known;
  }

  static std::string OriginalDescriptor(const Mapping& mapping, std::string_view descriptor) {
    std::string out;
    while (!descriptor.empty()) {
      const size_t end = descriptor[0] == 'L' ? descriptor.find(';') : std::string_view::npos;
      if (end == std::string_view::npos) {
        out += descriptor[0];
        descriptor.remove_prefix(1);
        continue;
      }
      std::string name = OriginalClass(mapping, WithDots(descriptor.substr(1, end - 1)));
      std::replace(name.begin(), name.end(), '.', '/');
      out += "L" + name + ";";
      descriptor.remove_prefix(end + 1);
    }
    return out;
  }

  // Both stacks are outermost first.
  void TranslateStack(std::span<const model::FrameId> stack, std::vector<model::FrameId>* out) {
    out->clear();
    std::optional<int32_t> outline_line;
    for (size_t i = stack.size(); i-- > 0;) {
      const model::FrameId id = stack[i];
      if (outline_line) {
        const Known once = Translate(id, outline_line);
        out->insert(out->end(), once.frames.begin(), once.frames.end());
        outline_line = once.outline_line;
        continue;
      }
      if (!known_[id].is_done) known_[id] = Translate(id, std::nullopt);
      const Known& known = known_[id];
      out->insert(out->end(), known.frames.begin(), known.frames.end());
      outline_line = known.outline_line;
    }
    std::reverse(out->begin(), out->end());
  }

  // `frames` are innermost first.
  void RestoreStack(std::vector<model::FrameId>* frames) {
    std::vector<model::FrameId> restored;
    std::reverse(frames->begin(), frames->end());
    TranslateStack(*frames, &restored);
    std::reverse(restored.begin(), restored.end());
    *frames = std::move(restored);
  }

  model::TraceTree Rebuilt(const model::TraceTree& tree) {
    model::TraceTree rebuilt(tree.token(), model::kHostTreeLimits);
    std::vector<model::FrameId> stack;
    std::vector<model::FrameId> before;
    tree.ForEachStack(
        [&](uint32_t index, std::span<const model::FrameId> frames, const model::Sample& sample) {
          if (index > 0 && std::equal(before.begin(), before.end(), frames.begin(), frames.end())) {
            rebuilt.AddRepeat(sample);
            return;
          }
          before.assign(frames.begin(), frames.end());
          TranslateStack(frames, &stack);
          rebuilt.Add(stack, sample);
        });
    rebuilt.SetHistory(tree.interval_scale(), tree.samples_added(), tree.truncated_stacks());
    return rebuilt;
  }

  std::span<const Mapping* const> mappings_;
  model::Document& document_;
  model::FrameTable frame_table_{RoomFor(document_.frames)};
  std::vector<Known> known_;  // by frame of the document
  RestoreResult result_;
};

}  // namespace

bool IsSameMapId(std::string_view a, std::string_view b) {
  return !a.empty() && !b.empty() && (a.starts_with(b) || b.starts_with(a));
}

TextSet ClassNames(const model::Document& document) {
  TextSet names;
  const model::FrameTable& frames = document.frames;
  for (model::FrameId id = 0; id < frames.size(); ++id) {
    names.emplace(frames.ClassName(id));
    AddDescriptorClasses(frames.String(frames.At(id).signature), &names);
  }
  // The names are read, not changed.
  Restorer::ForEachClassName(
      const_cast<model::Document*>(&document),
      [&names](const std::string* type) { names.insert(WithDots(ClassIn(*type))); });
  if (document.signal_catcher) {
    RestoreText(document.signal_catcher->text, {[&names](const ObfuscatedFrame& frame, auto) {
                                                  names.emplace(frame.class_name);
                                                  return std::nullopt;
                                                },
                                                [&names](const std::string& type) {
                                                  names.insert(WithDots(ClassIn(type)));
                                                  return type;
                                                }});
  }
  return names;
}

RestoreResult RestoreNames(std::span<const Mapping* const> mappings, model::Document* document) {
  return Restorer(mappings, document).Restore();
}

}  // namespace stillframe::naming
