// SPDX-License-Identifier: Apache-2.0
// What a message of the system is about, by what its object holds.
//
// Problem: an ANR of a broadcast or a service is of one component, and the system's own words are
// seldom there. Rule: fields of known classes are read, so that no code of the application runs, no
// lock is taken and no parcel is opened; extras, data and flags of an intent are never looked at.
// Lists are read up to a bound.
// Context: a thread that may be held up by the runtime
#pragma once

#include <jni.h>

#include <string>
#include <string_view>

namespace stillframe::jvm {

// Of `object`, whose class is `class_name`: "com.shop.SYNC to com.shop/.SyncReceiver",
// "com.shop/.Upload", "LaunchActivityItem of com.shop/.Main, ResumeActivityItem". "" where the
// class is none of those, has other fields, or holds nothing.
std::string MessageComponent(JNIEnv* env, jobject object, std::string_view class_name);

}  // namespace stillframe::jvm
