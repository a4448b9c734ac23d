// SPDX-License-Identifier: Apache-2.0
// The issue of Matrix that a message makes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/host/sample_documents.h"
#include "tools/stillframe/export/exports.h"

namespace stillframe::host_test {
namespace {

TEST(MatrixIssue, HoldsWhatIsKnownAndNoMarkup) {
  const model::Document document = AnrDocument();
  const index::DumpIndex index(document);
  const auto of = [&index](uint64_t token) {
    return nlohmann::json::parse(exports::MatrixIssue(index, Token{token}));
  };
  const nlohmann::json running = of(17);
  EXPECT_EQ(running["tag"], "Trace_EvilMethod");
  EXPECT_EQ(running["detail"], "ANR");
  EXPECT_EQ(running["cost"], 2962);
  EXPECT_EQ(running["usage"], "97.57%");
  EXPECT_EQ(running["scene"], "CheckoutActivity");
  const nlohmann::json past = of(9);
  EXPECT_EQ(past["detail"], "NORMAL");
  // The key names an entry of the stack, and each entry's method has a name.
  const auto key = past["stackKey"].get<std::string>();
  EXPECT_EQ(past["methods"][key.substr(0, key.size() - 1)], "java.lang.Object.wait");
  std::istringstream lines(past["stack"].get<std::string>());
  size_t entries = 0;
  for (std::string line; std::getline(lines, line); ++entries) {
    const size_t from = line.find(',') + 1;
    EXPECT_TRUE(past["methods"].contains(line.substr(from, line.find(',', from) - from))) << line;
  }
  EXPECT_EQ(entries, 8U);
}

}  // namespace
}  // namespace stillframe::host_test
