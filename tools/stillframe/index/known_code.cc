// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/index/known_code.h"

#include <algorithm>
#include <array>

namespace stillframe::index {
namespace {

struct KnownPackage {
  std::string_view prefix;
  CodeOwner owner;
};
// Libraries that are most often on Android's stacks, and seldom the application's own.
constexpr std::array kPackages = {
    KnownPackage{"java.", CodeOwner::kPlatform},
    KnownPackage{"javax.", CodeOwner::kPlatform},
    KnownPackage{"jdk.", CodeOwner::kPlatform},
    KnownPackage{"sun.", CodeOwner::kPlatform},
    KnownPackage{"libcore.", CodeOwner::kPlatform},
    KnownPackage{"dalvik.", CodeOwner::kPlatform},
    KnownPackage{"android.", CodeOwner::kPlatform},
    KnownPackage{"androidx.", CodeOwner::kPlatform},
    KnownPackage{"kotlin.", CodeOwner::kPlatform},
    KnownPackage{"kotlinx.", CodeOwner::kPlatform},
    KnownPackage{"com.android.internal.", CodeOwner::kPlatform},
    KnownPackage{"com.android.server.", CodeOwner::kPlatform},
    KnownPackage{"com.android.org.", CodeOwner::kPlatform},
    KnownPackage{"com.android.okhttp.", CodeOwner::kPlatform},
    KnownPackage{"com.android.icu.", CodeOwner::kPlatform},
    KnownPackage{"com.android.i18n.", CodeOwner::kPlatform},
    KnownPackage{"com.android.modules.", CodeOwner::kPlatform},
    KnownPackage{"WV.", CodeOwner::kLibrary},  // WebView, whose release builds rename classes
    KnownPackage{"bolts.", CodeOwner::kLibrary},
    KnownPackage{"butterknife.", CodeOwner::kLibrary},
    KnownPackage{"coil.", CodeOwner::kLibrary},
    KnownPackage{"coil3.", CodeOwner::kLibrary},
    KnownPackage{"com.airbnb.", CodeOwner::kLibrary},
    KnownPackage{"com.android.billingclient.", CodeOwner::kLibrary},
    KnownPackage{"com.android.volley.", CodeOwner::kLibrary},
    KnownPackage{"com.android.webview.", CodeOwner::kLibrary},
    KnownPackage{"com.badlogic.gdx.", CodeOwner::kLibrary},
    KnownPackage{"com.bugsnag.", CodeOwner::kLibrary},
    KnownPackage{"com.bumptech.", CodeOwner::kLibrary},
    KnownPackage{"com.facebook.", CodeOwner::kLibrary},  // React Native, Hermes, Fresco
    KnownPackage{"com.fasterxml.", CodeOwner::kLibrary},
    KnownPackage{"com.google.", CodeOwner::kLibrary},  // Play services, Firebase, Gson
    KnownPackage{"com.jakewharton.", CodeOwner::kLibrary},
    KnownPackage{"com.squareup.", CodeOwner::kLibrary},
    KnownPackage{"com.swmansion.", CodeOwner::kLibrary},
    KnownPackage{"com.tencent.mmkv.", CodeOwner::kLibrary},
    KnownPackage{"com.unity3d.", CodeOwner::kLibrary},
    KnownPackage{"dagger.", CodeOwner::kLibrary},
    KnownPackage{"expo.modules.", CodeOwner::kLibrary},
    KnownPackage{"io.flutter.", CodeOwner::kLibrary},
    KnownPackage{"io.grpc.", CodeOwner::kLibrary},
    KnownPackage{"io.ktor.", CodeOwner::kLibrary},
    KnownPackage{"io.reactivex.", CodeOwner::kLibrary},
    KnownPackage{"io.realm.", CodeOwner::kLibrary},
    KnownPackage{"io.sentry.", CodeOwner::kLibrary},
    KnownPackage{"leakcanary.", CodeOwner::kLibrary},
    KnownPackage{"okhttp3.", CodeOwner::kLibrary},
    KnownPackage{"okio.", CodeOwner::kLibrary},
    KnownPackage{"org.apache.", CodeOwner::kLibrary},
    KnownPackage{"org.chromium.", CodeOwner::kLibrary},
    KnownPackage{"org.cocos2dx.", CodeOwner::kLibrary},
    KnownPackage{"org.conscrypt.", CodeOwner::kLibrary},
    KnownPackage{"org.godotengine.", CodeOwner::kLibrary},
    KnownPackage{"org.greenrobot.", CodeOwner::kLibrary},
    KnownPackage{"org.json.", CodeOwner::kLibrary},
    KnownPackage{"org.koin.", CodeOwner::kLibrary},
    KnownPackage{"org.webrtc.", CodeOwner::kLibrary},
    KnownPackage{"retrofit2.", CodeOwner::kLibrary},
    KnownPackage{"rx.", CodeOwner::kLibrary},
    KnownPackage{"timber.", CodeOwner::kLibrary},
};

struct DrawingMethod {
  std::string_view class_prefix;
  std::string_view method;  // "": any; '*' at its end: beginning of the name
};
// AOSP 8 to 16, frameworks/base core/java/android/view; androidx recyclerview, compose.
constexpr std::array kDrawing = {
    DrawingMethod{"android.view.View", "measure"},
    DrawingMethod{"android.view.View", "layout"},
    DrawingMethod{"android.view.View", "draw"},
    DrawingMethod{"android.view.View", "updateDisplayListIfDirty"},
    DrawingMethod{"android.view.View", "buildDrawingCache*"},
    DrawingMethod{"android.view.View", "inflate"},
    DrawingMethod{"android.view.ViewGroup", "layout"},
    DrawingMethod{"android.view.ViewGroup", "dispatchDraw"},
    DrawingMethod{"android.view.ViewGroup", "drawChild"},
    DrawingMethod{"android.view.ViewGroup", "measureChild*"},
    DrawingMethod{"android.view.ViewRootImpl", "performTraversals"},
    DrawingMethod{"android.view.ViewRootImpl", "performMeasure"},
    DrawingMethod{"android.view.ViewRootImpl", "performLayout"},
    DrawingMethod{"android.view.ViewRootImpl", "performDraw"},
    DrawingMethod{"android.view.LayoutInflater", "inflate"},
    DrawingMethod{"android.view.LayoutInflater", "rInflate*"},
    DrawingMethod{"androidx.recyclerview.widget.RecyclerView", ""},
    DrawingMethod{"androidx.recyclerview.widget.LinearLayoutManager", ""},
    DrawingMethod{"androidx.recyclerview.widget.GridLayoutManager", ""},
    DrawingMethod{"androidx.recyclerview.widget.StaggeredGridLayoutManager", ""},
    DrawingMethod{"androidx.constraintlayout.", ""},
    DrawingMethod{"androidx.compose.foundation.", ""},
    DrawingMethod{"androidx.compose.material", ""},
    DrawingMethod{"androidx.compose.runtime.Composer", ""},
    DrawingMethod{"androidx.compose.runtime.Composition", ""},
    DrawingMethod{"androidx.compose.runtime.Recompose", ""},
    DrawingMethod{"androidx.compose.ui.", ""},
};

// The class itself, one within it, or all that begins with a prefix that ends at a dot.
bool IsOf(std::string_view prefix, std::string_view class_name) {
  if (!class_name.starts_with(prefix)) return false;
  const std::string_view rest = class_name.substr(prefix.size());
  return rest.empty() || rest[0] == '$' || prefix.starts_with("androidx.compose.") ||
         prefix.ends_with('.');
}

bool IsMethod(std::string_view pattern, std::string_view method) {
  if (pattern.empty()) return true;
  return pattern.ends_with('*') ? method.starts_with(pattern.substr(0, pattern.size() - 1))
                                : method == pattern;
}

// Names as java.util.concurrent, AsyncTask, kotlinx.coroutines, Room, OkHttp, RxJava and
// WorkManager give them.
constexpr std::array<std::string_view, 16> kPools = {
    "DefaultDispatch", "kotlinx.corouti", "pool-",         "AsyncTask #",
    "arch_disk_io_",   "OkHttp ",         "ForkJoinPool",  "RxCachedThread",
    "RxCachedThrea",   "RxComputation",   "RxIoScheduler", "WM.task-",
    "glide-",          "Firebase ",       "GmsCore",       "ModernAsyncTask"};

}  // namespace

CodeOwner OwnerOf(std::string_view class_name) {
  const auto known = std::ranges::find_if(kPackages, [class_name](const KnownPackage& package) {
    return class_name.starts_with(package.prefix);
  });
  return known == kPackages.end() ? CodeOwner::kUnknown : known->owner;
}

bool IsDrawing(std::string_view class_name, std::string_view method_name) {
  return std::ranges::any_of(
      kDrawing,
      [&](const DrawingMethod& known) {
        return IsOf(known.class_prefix, class_name) && IsMethod(known.method, method_name);
      });
}

bool IsUtility(std::string_view class_name) {
  constexpr std::array<std::string_view, 4> kEnds = {"Util", "Utils", "Lock", "Locks"};
  class_name = class_name.substr(0, class_name.find('$'));
  return std::ranges::any_of(
      kEnds, [class_name](std::string_view end) { return class_name.ends_with(end); });
}

bool IsPoolThread(std::string_view thread_name) {
  return std::ranges::any_of(
      kPools, [thread_name](std::string_view prefix) { return thread_name.starts_with(prefix); });
}

}  // namespace stillframe::index
