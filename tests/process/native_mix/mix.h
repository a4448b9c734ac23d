// SPDX-License-Identifier: Apache-2.0
// Functions that the functions of the chains report to and call. Also C.
// Context: main thread of the test
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// A function of this name runs and returns to there.
void sf_mix_note(const char* function, const void* return_address);
// Called by the innermost function of a chain: continues in Java, or takes time.
long sf_mix_go_on(int level);

long sf_plain_outer(int level);
long sf_pointer_outer(int level);
long sf_room_outer(int level);
long sf_bare_outer(int level);
long sf_tail_outer(int level);
long sf_c_outer(int level);
long sf_assembly_outer(int level);
// Calls sf_c_inner.
long sf_assembly_middle(int level);
long sf_c_inner(int level);

#ifdef __cplusplus
}
#endif
