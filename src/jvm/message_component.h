// SPDX-License-Identifier: Apache-2.0
// The component that a system message concerns, read from its object.
//
// Problem: an ANR of a broadcast or a service concerns one component, but the system's reason is
// seldom available.
// Rule: only fields of known classes are read. No code of the application runs, no lock is taken,
// no parcel is opened. Extras, data and flags of an intent are never read. Lists are bounded.
// Context: a thread that may be held up by the runtime
#pragma once

#include <jni.h>

#include <string>
#include <string_view>

namespace stillframe::jvm {

// The component of `object`, an instance of `class_name`: "com.shop.SYNC to
// com.shop/.SyncReceiver", "com.shop/.Upload", "LaunchActivityItem of com.shop/.Main,
// ResumeActivityItem". "" for other classes, unexpected fields or no content.
std::string MessageComponent(JNIEnv* env, jobject object, std::string_view class_name);

}  // namespace stillframe::jvm
