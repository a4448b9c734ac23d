// SPDX-License-Identifier: Apache-2.0
#include "src/collector/live_feed.h"

#include <unistd.h>

#include <string>

#include "src/core/counters.h"
#include "src/os/proc.h"

namespace stillframe::collector {
namespace {

constexpr uint64_t kIntervalNs = 200'000'000;

}  // namespace

int LiveFeed::Open(const Setup& setup) {
  setup_ = setup;
  core::Counters::Show(Counter::kLiveDropped);
  return socket_.Open(static_cast<uint32_t>(getpid()), setup.is_debuggable);
}

uint64_t LiveFeed::Serve(uint64_t now_ns) {
  if (socket_.Accept()) {
    live::Packet packet;
    packet.token = Token{static_cast<uint64_t>(getpid())};
    packet.start_ns = now_ns;
    packet.work_ns = settings::Ns(setup_.config->slow_ms);
    Send(packet, {.name = os::ProcessName()});
    next_ns_ = now_ns;
  }
  if (!socket_.has_watcher()) return UINT64_MAX;
  if (now_ns >= next_ns_) {
    SendOpen(now_ns);
    next_ns_ = now_ns + kIntervalNs;
  }
  return next_ns_ - now_ns;
}

void LiveFeed::OnEnded(void* feed, uint32_t looper, const tap::EndedMessage& ended,
                       uint32_t samples) {
  auto* self = static_cast<LiveFeed*>(feed);
  if (!self->socket_.has_watcher()) return;
  switch (ended.kind) {
    case tap::EndedKind::kMessage:
      self->SendEnded(live::Kind::kMessage, looper, ended, samples);
      break;
    case tap::EndedKind::kQuickRun:
      self->SendEnded(live::Kind::kQuickRun, looper, ended, samples);
      break;
    case tap::EndedKind::kSegment:
      self->SendEnded(live::Kind::kSegment, looper, ended, samples);
      break;
    case tap::EndedKind::kIdle: self->SendEnded(live::Kind::kIdle, looper, ended, samples); break;
  }
}

void LiveFeed::SendEnded(live::Kind kind, uint32_t looper, const tap::EndedMessage& ended,
                         uint32_t samples) {
  live::Packet packet;
  packet.kind = kind;
  packet.looper = static_cast<uint8_t>(looper);
  packet.token = ended.token;
  packet.start_ns = ended.start_ns;
  packet.work_ns = kind == live::Kind::kIdle ? ended.end_ns - ended.start_ns : ended.work_ns;
  packet.cpu_ns = ended.end_cpu_ns > ended.start_cpu_ns
                      ? static_cast<int64_t>(ended.end_cpu_ns - ended.start_cpu_ns)
                      : 0;
  packet.wait_ns = ended.wait_ns;
  packet.messages = ended.messages;
  packet.what = ended.what;
  packet.flags = ended.flags;
  packet.samples = samples;
  const tap::WatchedLooper* watched = setup_.watched->At(looper);
  Send(packet, {watched != nullptr ? watched->name : "", ended.target, ended.callback, {}});
}

void LiveFeed::SendOpen(uint64_t now_ns) {
  setup_.pipelines->ForEachOpen([this, now_ns](uint32_t index, const tap::WatchedLooper& looper,
                                               const tap::OpenHistory& open) {
    const core::RunningMessage running =
        index == 0 ? setup_.main_watch->Running() : core::Read(looper.thread.message);
    SendRunning(index, running, looper.name, now_ns);
    SendEnded(live::Kind::kOpenRun, index, open.run, 0);
  });
}

void LiveFeed::SendRunning(uint32_t looper, const core::RunningMessage& running,
                           std::string_view name, uint64_t now_ns) {
  live::Packet packet;
  packet.kind = live::Kind::kRunning;
  packet.looper = static_cast<uint8_t>(looper);
  packet.token = running.token;
  packet.start_ns = running.start_ns;
  packet.work_ns = running.token != Token::kNone ? running.AgeNs(now_ns) : 0;
  const bool is_sampled =
      looper == 0 && running.token != Token::kNone && setup_.trees->token() == running.token;
  const std::string stack =
      is_sampled ? setup_.trees->NewestStack(live::kMaxStackBytes) : std::string();
  Send(packet, {.name = name, .stack = stack});
}

void LiveFeed::Send(const live::Packet& packet, live::LiveSocket::Texts texts) {
  const bool is_process = packet.kind == live::Kind::kProcess;
  const bool is_segment = packet.kind == live::Kind::kSegment;
  if (is_process ? Omits(settings::Part::kProcess)
                 : packet.looper != 0 && Omits(settings::Part::kThreads))
    texts.name = {};
  if (Omits(settings::Part::kMessages)) texts.target = texts.callback = {};
  if (Omits(settings::Part::kStacks)) {
    texts.stack = {};
    if (is_segment) texts.callback = {};  // its name comes from its stack
  }
  socket_.Send(packet, texts);
}

}  // namespace stillframe::collector
