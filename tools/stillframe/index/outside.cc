// SPDX-License-Identifier: Apache-2.0
// The table of methods and what each waits for.
#include "tools/stillframe/index/outside.h"

#include <array>
#include <string_view>

namespace stillframe::index {
namespace {

struct OutsideMethod {
  std::string_view class_prefix;   // the whole name, or its beginning if it ends in '*'
  std::string_view method_prefix;  // a beginning; "" is any method
  Outside what;
};

// Names of AOSP 10 to 14: frameworks/base core/java/android/os/BinderProxy.java,
// android/database/sqlite/SQLiteConnection.java,
// android/app/{SharedPreferencesImpl,QueuedWork}.java; libcore
// luni/src/main/java/libcore/io/Linux.java and ojluni java/io, java/net, sun/nio.
constexpr std::array kOutside = {
    OutsideMethod{"android.os.BinderProxy", "transact", Outside::kBinder},
    OutsideMethod{"java.io.FileInputStream", "", Outside::kInputOutput},
    OutsideMethod{"java.io.FileOutputStream", "", Outside::kInputOutput},
    OutsideMethod{"java.io.RandomAccessFile", "", Outside::kInputOutput},
    OutsideMethod{"java.io.FileDescriptor", "sync", Outside::kInputOutput},
    OutsideMethod{"java.io.UnixFileSystem", "", Outside::kInputOutput},
    OutsideMethod{"libcore.io.Linux", "", Outside::kInputOutput},
    OutsideMethod{"sun.nio.ch.*", "", Outside::kInputOutput},
    OutsideMethod{"java.net.Socket*", "", Outside::kInputOutput},
    OutsideMethod{"java.net.Inet*", "", Outside::kInputOutput},
    OutsideMethod{"android.database.sqlite.SQLiteConnection", "native", Outside::kInputOutput},
    OutsideMethod{"android.app.SharedPreferencesImpl", "awaitLoaded", Outside::kInputOutput},
    OutsideMethod{"android.app.SharedPreferencesImpl$EditorImpl", "commit", Outside::kInputOutput},
    OutsideMethod{"android.app.QueuedWork", "waitToFinish", Outside::kInputOutput},
};

bool Matches(std::string_view pattern, std::string_view name) {
  return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1))
                                : name == pattern;
}

}  // namespace

Outside WaitedFor(const trace::FrameTable& frames, trace::FrameId id) {
  if (frames.At(id).kind == trace::FrameKind::kTruncated) return Outside::kNothing;
  const std::string_view class_name = frames.ClassName(id);
  const std::string_view method_name = frames.MethodName(id);
  for (const OutsideMethod& outside : kOutside)
    if (Matches(outside.class_prefix, class_name) && method_name.starts_with(outside.method_prefix))
      return outside.what;
  return Outside::kNothing;
}

}  // namespace stillframe::index
