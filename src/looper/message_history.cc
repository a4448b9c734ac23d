#include "src/looper/message_history.h"

namespace stillframe::looper {

void MessageHistory::Add(const EndedMessage& message, uint32_t samples) {
  const Entry entry{
      message.token,
      message.start_ns,
      message.wait_ns,
      message.end_ns - message.start_ns,
      message.end_cpu_ns > message.start_cpu_ns ? message.end_cpu_ns - message.start_cpu_ns : 0,
      message.what,
      message.flags,
      samples,
      names_.Intern(message.target),
      names_.Intern(message.callback)};
  if (entries_.size() < capacity_) {
    entries_.push_back(entry);
  } else {
    entries_[oldest_] = entry;
    oldest_ = (oldest_ + 1) % capacity_;
    ++lost_;
  }
}

dump::Message MessageHistory::MessageAt(size_t index) const {
  const Entry& entry = entries_[index];
  dump::Message message;
  message.token = entry.token;
  message.start_ns = entry.start_ns;
  message.wait_ns = entry.wait_ns;
  message.wall_ns = static_cast<int64_t>(entry.wall_ns);
  message.cpu_ns = static_cast<int64_t>(entry.cpu_ns);
  message.samples = entry.samples;
  message.flags = entry.flags;
  message.what = entry.what;
  message.target = names_.String(entry.target);
  message.callback = names_.String(entry.callback);
  return message;
}

}  // namespace stillframe::looper
