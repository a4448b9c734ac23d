// SPDX-License-Identifier: Apache-2.0
// A descriptor kept for the moment when the process has none left.
//
// Problem: an application that leaks descriptors hangs or fails, and its dump could not be written.
// Rule: one descriptor is open all the time. If a file cannot be opened for lack of descriptors,
// the spare one is given up for it. Surviving risk: another thread takes the number first.
// Context: collector
#pragma once

#include <sys/types.h>

namespace stillframe::os {

// Opens the spare descriptor if it is not open and a number is free.
void KeepSpareDescriptor();

// As open(2). Gives up the spare descriptor, if there is one, when the process has no other left.
int OpenWithSpare(const char* path, int flags, mode_t mode = 0);

// After a file of OpenWithSpare was closed: takes its number back if it was the spare one's.
void TakeBackSpareDescriptor();

}  // namespace stillframe::os
