// SPDX-License-Identifier: Apache-2.0
// Enumerations and flags of the dump format: never renumber.
#pragma once

#include <cstdint>

#include <stillframe/enum_table.h>

namespace stillframe::model {

// For signed durations.
constexpr int64_t kTimeUnknown = -1;

// Bits of Message::flags. Bit 2 is unused.
constexpr uint32_t kMessageThrew = 1U << 0;            // an exception left it
constexpr uint32_t kMessageNested = 1U << 1;           // dispatched inside another message
constexpr uint32_t kMessageHasTree = 1U << 3;          // a tree with its token is in the dump
constexpr uint32_t kMessageIdentityUnknown = 1U << 4;  // target, callback and what are unknown

// Where a frame of the Choreographer spent most time.
enum class FrameStage : uint8_t {
  kNone = 0,  // not a frame
  kUnknown = 1,
  kInput = 2,
  kAnimation = 3,
  kInsets = 4,  // insets animation
  kTraversal = 5,
  kCommit = 6,
};

// Kind of a segment, from its stack: the main thread was neither in a message that the tap saw, nor
// in its Looper's poll.
enum class SegmentKind : uint8_t {
  kNone = 0,            // a message, not a segment
  kUnknown = 1,         // no usable stack
  kIdleHandler = 2,     // called by MessageQueue.next
  kNativeCallback = 3,  // by native code in MessageQueue.nativePollOnce: mostly input
  kBeforeLoop = 4,      // no Looper.loop is on the stack
  kLoop = 5,            // the loop's own code: its queue, a Printer, an Observer
  kUnseenMessage = 6,   // missed by the tap, whose place another component had
  kNestedLoop = 7,      // a message's own loop, outside the inner messages
};

// Kinds of groups and records of the history.
enum class SpanKind : uint8_t {
  kUnknown = 0,
  kQuick = 1,     // quick messages only, merged
  kMixed = 2,     // a group that also has messages with tokens
  kSlow = 3,      // one slow message alone
  kNormal = 4,    // one message that is neither quick nor slow
  kSystem = 5,    // one message of ActivityThread$H
  kFrame = 6,     // one message that is a frame of the Choreographer
  kIdle = 7,      // a long pause
  kFrozen = 8,    // process frozen or device suspended
  kLost = 9,      // messages that were not recorded; `messages` says how many
  kOutside = 10,  // one segment
  kBlind = 11,    // another component had the tap's place: content unknown
};

// Why the dump was written.
enum class Trigger : uint8_t {
  kUnknown = 0,
  kSigquit = 1,
  kApi = 2,
  kExit = 3,
  kLongMessage = 4,  // a message ran beyond its own limit, without a signal
  kHeartbeat = 5,    // the loop did not answer, or is stuck
};

}  // namespace stillframe::model

namespace stillframe {

template <>
inline constexpr EnumTable<model::FrameStage, 7> kTableOf<model::FrameStage> = {
    model::FrameStage::kUnknown,
    {{""}, {"unknown"}, {"input"}, {"animation"}, {"insets"}, {"traversal"}, {"commit"}}};

template <>
inline constexpr EnumTable<model::SegmentKind, 8> kTableOf<model::SegmentKind> = {
    model::SegmentKind::kUnknown,
    {{"", "code outside messages"},
     {"unknown", "code outside messages"},
     {"idle-handler", "idle handler"},
     {"native-callback", "native callback"},
     {"before-loop", "code before the loop"},
     {"loop", "the loop's own code"},
     {"unseen-message", "unseen message"},
     {"nested-loop", "code around a nested loop"}}};

template <>
inline constexpr EnumTable<model::SpanKind, 12> kTableOf<model::SpanKind> = {
    model::SpanKind::kUnknown,
    {{"unknown", "unknown"},
     {"quick", "short messages (grouped)"},
     {"mixed", "normal"},
     {"slow", "slow"},
     {"normal", "normal"},
     {"system", "system"},
     {"frame", "frame"},
     {"idle", "idle"},
     {"frozen", "frozen"},
     {"lost", "not recorded"},
     {"outside", "outside messages"},
     {"blind", "not seen by the tap"}}};

template <>
inline constexpr EnumTable<model::Trigger, 6> kTableOf<model::Trigger> = {
    model::Trigger::kUnknown,
    {{"unknown", "unknown"},
     {"sigquit", "SIGQUIT (an ANR or a request)"},
     {"api", "a call of the C API"},
     {"exit", "the end of the process"},
     {"long-message", "a message beyond its limit"},
     {"heartbeat", "a loop that did not answer"}}};

}  // namespace stillframe
