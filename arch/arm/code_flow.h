// SPDX-License-Identifier: Apache-2.0
// Compiled code is not read on arm.
// Context: any thread
#pragma once

#include "arch/unread_code_flow.h"
