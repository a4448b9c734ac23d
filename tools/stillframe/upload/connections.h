// SPDX-License-Identifier: Apache-2.0
// The connections of a receiver and when the request that each is at began: a time-out for silence
// alone lets whoever sends a byte now and then hold one for ever. And those whose answer waits.
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

  // Nothing is read or answered until then; its request is then looked at again. False: none waits
  // any more. The daemon's thread.
  bool LetWait(MHD_Connection* connection, Clock::time_point until);
  // Those that have waited until then go on. With the last time there is all do, and none waits any
  // more: the daemon ends only then. Any thread.
  void Resume(Clock::time_point until);

 private:
  struct Open {
    int fd;
    Clock::time_point begun;
  };
  std::mutex mutex_;
  std::map<MHD_Connection*, Open> open_;  // guarded by mutex_
  // Held while the daemon is told, which may hold locks of its own when it calls OnChange.
  std::mutex waiting_mutex_;
  // Guarded by it. None of these can end before it was resumed.
  std::map<MHD_Connection*, Clock::time_point> waiting_;
  bool has_ended_ = false;
};

}  // namespace stillframe::upload
