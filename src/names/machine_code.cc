// SPDX-License-Identifier: Apache-2.0
#include "src/names/machine_code.h"

#include <algorithm>
#include <cstring>

#include "arch/arch.h"

namespace stillframe::names {

namespace {

constexpr size_t kMaxSwitches = 1U << 14;

}  // namespace

bool MachineCode::Copy(const walk::CompiledCode& code) {
  instructions_.clear();
  if (code.bytes > kMaxBytes) return false;
  bytes_.resize(code.bytes);
  uint32_t at = 0;
  for (; at + 8 <= code.bytes; at += 8) {
    uint64_t eight = 0;
    if (!arch::GuardedLoad64(code.begin + at, &eight)) return false;
    memcpy(&bytes_[at], &eight, sizeof eight);
  }
  for (; at < code.bytes; ++at)
    if (!arch::GuardedLoad8(code.begin + at, &bytes_[at])) return false;
  return true;
}

uint64_t MachineCode::checksum() const {
  uint64_t sum = bytes_.size();
  for (size_t at = 0; at < bytes_.size(); at += 8) {
    uint64_t eight = 0;
    memcpy(&eight, &bytes_[at], std::min<size_t>(8, bytes_.size() - at));
    sum = (sum ^ eight) * 0x9e3779b97f4a7c15U;
    sum ^= sum >> 29;
  }
  return sum;
}

// Decodes from `offset` until control does not fall through. A call may never return, so the bytes
// after it may be arbitrary.
bool MachineCode::Follow(uint32_t offset, std::vector<uint32_t>* open) {
  const auto size = static_cast<uint32_t>(bytes_.size());
  bool is_behind_call = false;
  while (offset < size && begins_[offset] == kNotReached) {
    arch::CodeFlow flow;
    if (!arch::ReadCodeFlow(bytes_.data(), size, offset, &flow)) return is_behind_call;
    begins_[offset] = static_cast<uint8_t>(flow.bytes);
    const bool has_target = flow.flow == arch::Flow::kBranch || flow.flow == arch::Flow::kJump;
    const bool is_inside = flow.target >= 0 && flow.target < size;
    if (has_target && is_inside) open->push_back(static_cast<uint32_t>(flow.target));
    instructions_.push_back(
        {offset, flow.bytes, flow.flow, flow.is_checked,
         has_target && is_inside ? static_cast<uint32_t>(flow.target) : kNoInstruction});
    if (flow.flow == arch::Flow::kUnknown) return FollowTable(open);
    if (!instructions_.back().FallsThrough()) return true;
    is_behind_call = flow.flow == arch::Flow::kCall || flow.flow == arch::Flow::kRuntimeCall;
    offset += flow.bytes;
  }
  return true;
}

// Adds the targets of the last instruction, a jump through a table.
bool MachineCode::FollowTable(std::vector<uint32_t>* open) {
  constexpr uint32_t kBefore = 5;
  const auto size = static_cast<uint32_t>(bytes_.size());
  const uint32_t at = instructions_.back().offset;
  uint32_t before[kBefore] = {};
  uint32_t count = 0;
  for (size_t i = instructions_.size() - 1; i > 0 && count < kBefore; --i) {
    if (instructions_[i - 1].end() != instructions_[i].offset) break;
    before[count++] = instructions_[i - 1].offset;
  }
  arch::JumpTable table;
  if (!arch::ReadJumpTable(bytes_.data(), at, before, count, &table) || table.table < 0 ||
      table.table > size || switches_.size() > kMaxSwitches ||
      table.count > (size - static_cast<uint32_t>(table.table)) / 4)
    return false;
  for (uint32_t i = 0; i < table.count; ++i) {
    int32_t relative = 0;
    memcpy(&relative, &bytes_[static_cast<uint32_t>(table.table) + i * 4], sizeof relative);
    const int64_t target = table.table + relative;
    if (target < 0 || target >= size) return false;
    open->push_back(static_cast<uint32_t>(target));
    switches_.push_back({at, static_cast<uint32_t>(target)});
  }
  return true;
}

bool MachineCode::Decode(std::span<const uint32_t> places) {
  instructions_.clear();
  switches_.clear();
  begins_.assign(bytes_.size(), kNotReached);
  std::vector<uint32_t> open(places.begin(), places.end());
  open.push_back(0);
  while (!open.empty()) {
    const uint32_t offset = open.back();
    open.pop_back();
    if (!Follow(offset, &open)) return false;
  }
  std::ranges::sort(instructions_, {}, &MachineInstruction::offset);
  for (size_t i = 1; i < instructions_.size(); ++i)
    if (instructions_[i].offset < instructions_[i - 1].end()) return false;  // they overlap
  for (MachineInstruction& instruction : instructions_)
    if (instruction.target != kNoInstruction) instruction.target = Holding(instruction.target);
  for (Switch& row : switches_) row = {Holding(row.from), Holding(row.target)};
  std::ranges::sort(switches_, {}, &Switch::from);
  return !instructions_.empty();
}

uint32_t MachineCode::Holding(uint32_t offset) const {
  const auto behind =
      std::ranges::upper_bound(instructions_, offset, {}, &MachineInstruction::offset);
  if (behind == instructions_.begin() || offset >= std::prev(behind)->end()) return kNoInstruction;
  return static_cast<uint32_t>(behind - instructions_.begin() - 1);
}

}  // namespace stillframe::names
