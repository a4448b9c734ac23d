// SPDX-License-Identifier: Apache-2.0
// Keys of dumps and of messages.
#include "tools/stillframe/render/page_cluster.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "src/trace/evil_stack.h"
#include "tools/stillframe/text/clean_text.h"

namespace stillframe::render {
namespace {

constexpr size_t kLongestKey = 300;

// "app.Feed$$ExternalSyntheticLambda3.run" and "app.Feed.lambda$load$0" without the numbers, which
// another version of the application gives to others: d8 and javac count lambdas in the order of
// the source.
std::string WithoutLambdaNumbers(std::string_view name) {
  std::string kept;
  bool is_lambda = false;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool is_digit = name[i] >= '0' && name[i] <= '9';
    if (!is_lambda) {
      const std::string_view rest = name.substr(i);
      is_lambda = rest.starts_with("Lambda") || rest.starts_with("lambda$");
    }
    if (name[i] == '.' || name[i] == ' ') is_lambda = false;
    const char before = i == 0 ? ' ' : name[i - 1];
    const bool is_number = is_lambda && is_digit && (before == 'a' || before == '$');
    if (is_number) {
      while (i + 1 < name.size() && name[i + 1] >= '0' && name[i + 1] <= '9') ++i;
      continue;
    }
    kept += name[i];
  }
  return text::Truncated(kept, kLongestKey);
}

std::string MessageText(const index::DumpIndex& index, uint64_t token) {
  index::Dispatch dispatch = index.DispatchFor(*index.MessageOf(token));
  dispatch.is_from_stack = false;
  return WithoutLambdaNumbers(index::DispatchText(dispatch));
}

nlohmann::ordered_json StackKey(const index::DumpIndex& index, uint64_t token) {
  const trace::TraceTree* trace = index.TraceOf(token);
  if (trace == nullptr || trace->samples().empty()) return "";
  const auto sampled_ms = static_cast<uint32_t>(index.TreeOf(token)->root().total_us / 1000);
  const auto stack = trace::EvilStackOf(*trace, index.document().frames, 0);
  return fmt::format("{}|", trace::KeyOf(stack, sampled_ms));
}

}  // namespace

nlohmann::ordered_json PageCluster(const index::DumpIndex& index, const verdict::Verdict& verdict) {
  return {{"kind", verdict::KindName(verdict.kind)},
          {"frame", verdict.culprit ? WithoutLambdaNumbers(verdict.culprit->method) : ""},
          {"message", verdict.token ? MessageText(index, *verdict.token) : ""},
          {"stackKey", verdict.token ? StackKey(index, *verdict.token) : ""}};
}

std::string PageMessageKey(const index::DumpIndex& index, const verdict::Verdict& verdict) {
  const model::Identity& process = index.document().identity;
  if (!verdict.token || process.process_start_ns == 0) return {};
  return fmt::format("{}.{}.{}", process.pid, process.process_start_ns, *verdict.token);
}

}  // namespace stillframe::render
