// SPDX-License-Identifier: Apache-2.0
// JSON and schema have a row for each member of each kind of evidence.
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <string>
#include <type_traits>
#include <variant>

#include "tools/stillframe/render/evidence_fields.h"

namespace stillframe::judge::evidence {
namespace {

class RowCounter {
 public:
  template <typename T>
  void operator()(const dump::Row& row, const T& /*field*/) {
    ++rows_[row.name];
  }
  const std::map<std::string, size_t>& rows() const { return rows_; }

 private:
  std::map<std::string, size_t> rows_;
};

// Initializes any member but a struct: the next ones initialize that struct's members.
struct AnyMember {
  template <typename T>
  requires(!std::is_aggregate_v<T>) operator T() const;
};

template <typename Fact, typename... Members>
consteval size_t MembersOf() {
  if constexpr (requires { Fact{Members{}..., AnyMember{}}; })
    return MembersOf<Fact, Members..., AnyMember>();
  else
    return sizeof...(Members);
}

template <typename Fact>
void ExpectARowForEachMember() {
  RowCounter counter;
  Fields(counter, Fact());
  EXPECT_EQ(counter.rows().size(), MembersOf<Fact>() + 1) << Fact::kName;  // and "kind"
  for (const auto& [name, count] : counter.rows())
    EXPECT_EQ(count, 1U) << Fact::kName << ": " << name;
}

template <typename... Kinds>
void ExpectRowsOfAll(const std::variant<Kinds...>* /*only its type counts*/) {
  (ExpectARowForEachMember<Kinds>(), ...);
}

TEST(EvidenceRows, EachMemberHasOne) {
  static_assert(MembersOf<NoSample>() == 0 && MembersOf<Rival>() == 5 && MembersOf<Late>() == 5);
  ExpectRowsOfAll(static_cast<const Evidence*>(nullptr));
}

}  // namespace
}  // namespace stillframe::judge::evidence
