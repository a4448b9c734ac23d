// SPDX-License-Identifier: Apache-2.0
// Memory has no tags on x86_64.
// Context: any thread
#pragma once

#include "arch/untagged_memory.h"
