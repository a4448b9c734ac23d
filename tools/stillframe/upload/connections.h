// SPDX-License-Identifier: Apache-2.0
// The connections of a receiver and when the request that each is at began: a time-out for silence
// alone lets whoever sends a byte now and then hold one for ever.
#pragma once

#include <microhttpd.h>

#include <chrono>
#include <map>
#include <mutex>

namespace stillframe::upload {

class Connections {
 public:
  using Clock = std::chrono::steady_clock;

  // For MHD_OPTION_NOTIFY_CONNECTION, with this object.
  static void OnChange(void* connections, MHD_Connection* connection, void** state,
                       MHD_ConnectionNotificationCode code);

  // Its request is over, and the next may begin.
  void EndRequest(MHD_Connection* connection);

  // Ends connections whose request has lasted for longer, by whatever is sent or read of it. Any
  // thread.
  void CutOlderThan(Clock::duration longest);

 private:
  struct Open {
    int fd;
    Clock::time_point begun;
  };
  std::mutex mutex_;
  std::map<MHD_Connection*, Open> open_;  // guarded by mutex_
};

}  // namespace stillframe::upload
