// SPDX-License-Identifier: Apache-2.0
// A socket is shut down while its connection is known to be open: its number means no other yet.
#include "tools/stillframe/upload/connections.h"

#include <sys/socket.h>

namespace stillframe::upload {

void Connections::OnChange(void* connections, MHD_Connection* connection, void**,
                           MHD_ConnectionNotificationCode code) {
  auto* const self = static_cast<Connections*>(connections);
  const std::lock_guard lock(self->mutex_);
  if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
    self->open_.erase(connection);
    return;
  }
  const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (info != nullptr) self->open_[connection] = {info->connect_fd, Clock::now()};
}

void Connections::EndRequest(MHD_Connection* connection) {
  const std::lock_guard lock(mutex_);
  const auto open = open_.find(connection);
  if (open != open_.end()) open->second.begun = Clock::now();
}

void Connections::CutOlderThan(Clock::duration longest) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  for (const auto& [connection, open] : open_)
    if (now - open.begun > longest) shutdown(open.fd, SHUT_RDWR);
}

bool Connections::LetWait(MHD_Connection* connection, Clock::time_point until) {
  const std::lock_guard lock(waiting_mutex_);
  if (has_ended_) return false;
  waiting_[connection] = until;
  MHD_suspend_connection(connection);
  return true;
}

void Connections::Resume(Clock::time_point until) {
  const std::lock_guard lock(waiting_mutex_);
  for (auto waiting = waiting_.begin(); waiting != waiting_.end();) {
    if (waiting->second > until) {
      ++waiting;
      continue;
    }
    MHD_resume_connection(waiting->first);
    waiting = waiting_.erase(waiting);
  }
  has_ended_ |= until == Clock::time_point::max();
}

}  // namespace stillframe::upload
