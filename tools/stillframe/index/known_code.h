// SPDX-License-Identifier: Apache-2.0
// The table of known code: packages of the platform and of libraries, methods that lay out and
// draw, names of threads.
#pragma once

#include <cstdint>
#include <string_view>

namespace stillframe::index {

enum class CodeOwner : uint8_t { kUnknown, kLibrary, kPlatform };

// kUnknown: most likely the application's.
CodeOwner OwnerOf(std::string_view class_name);

// A class of Java, Kotlin or Android, which is seldom to blame.
inline bool IsPlatformClass(std::string_view class_name) {
  return OwnerOf(class_name) == CodeOwner::kPlatform;
}

// The method inflates, composes, measures, lays out or draws views: it belongs to the main thread.
bool IsDrawing(std::string_view class_name, std::string_view method_name);

// By its name the class serves many callers, "app.db.Locks": its caller says more.
bool IsUtility(std::string_view class_name);

// A thread of a pool or dispatcher, which runs tasks for others. The kernel cuts names to 15 bytes.
bool IsPoolThread(std::string_view thread_name);

}  // namespace stillframe::index
