// SPDX-License-Identifier: Apache-2.0
// Writes past, present and future as lines, then the trees in preorder.
#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "tools/stillframe/export/exports.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/index/preorder_text.h"
#include "tools/stillframe/index/units.h"

namespace stillframe::exports {
namespace {

using index::kNsPerMs;
using model::Message;

std::string Ms(int64_t ns) {
  return ns < 0 ? "?" : std::to_string(static_cast<uint64_t>(ns) / kNsPerMs);
}

class PreorderWriter {
 public:
  explicit PreorderWriter(const index::DumpIndex& index)
      : index_(index), document_(index.document()), short_system_(index.ShortSystemMessages()) {}

  std::string Write() {
    Add("history:\n");
    for (const model::HistoryGroup& group : document_.groups)
      if (group.looper == 0) AddGroup(group);
    if (document_.groups.empty())
      for (const Message& message : document_.history)
        Add("{}>>>{}\n", message.start_ns / kNsPerMs, MessageText(message));
    Add("running:\n");
    if (document_.running)
      Add("{}>>>{}\n", document_.running->start_ns / kNsPerMs, MessageText(*document_.running));
    Add("pending:\n");
    for (const model::PendingMessage& message : document_.pending) {
      Add("{}>>>{}\n", message.delay_ms,
          message.is_barrier ? "barrier" : index::PendingDispatch(message));
    }
    Add("trees:\n");
    for (const model::TraceTree& tree : document_.trees)
      Add("{}:{}\n", NumberOf(tree.token()), index::WritePreorderText(tree, document_.frames));
    return std::move(out_);
  }

 private:
  template <typename... Values>
  void Add(fmt::format_string<Values...> format, Values&&... values) {
    out_ += fmt::format(format, std::forward<Values>(values)...);
  }

  std::string MessageText(const Message& message) const {
    return fmt::format("{} {}<{}>{}", NumberOf(message.token),
                       index::DispatchText(index_.DispatchFor(message)), Ms(message.wall_ns),
                       Ms(message.wait_ns));
  }

  void AddGroup(const model::HistoryGroup& group) {
    Add("{}>>>", group.start_ns / kNsPerMs);
    if (group.messages == 0 && group.tokens.empty()) {
      Add("{}<{}\n", index::NameOf(group.kind), group.span_ns / kNsPerMs);
      return;
    }
    std::vector<std::string> texts;
    for (const Token token : group.tokens) {
      const Message* message = index_.MessageOf(token);
      texts.push_back(message == nullptr ? fmt::format("{} no longer known", NumberOf(token))
                                         : MessageText(*message));
    }
    for (const Message& message : short_system_)
      if (message.start_ns >= group.start_ns && message.start_ns - group.start_ns < group.span_ns)
        texts.push_back(MessageText(message));
    const bool is_alone = group.messages == 1 && texts.size() == 1;
    for (const std::string& text : texts) Add("{}{}", text, is_alone ? "" : ";");
    if (!is_alone) Add("{}+{}", group.messages, group.wall_ns / kNsPerMs);
    Add("\n");
  }

  const index::DumpIndex& index_;
  const model::Document& document_;
  std::vector<Message> short_system_;
  std::string out_;
};

}  // namespace

std::string PreorderReport(const index::DumpIndex& index) { return PreorderWriter(index).Write(); }

}  // namespace stillframe::exports
