// SPDX-License-Identifier: Apache-2.0
// Memory has no tags on arm.
// Context: any thread
#pragma once

#include "arch/untagged_memory.h"
