// SPDX-License-Identifier: Apache-2.0
// ART's Signal Catcher, which waits for SIGQUIT with sigwait.
// Context: collector
#pragma once

namespace stillframe::anr {

// Sends SIGQUIT to the Signal Catcher's own thread. False when there is none.
bool PassQuitOn();

}  // namespace stillframe::anr
