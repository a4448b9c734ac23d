// SPDX-License-Identifier: Apache-2.0
// A function that nothing describes. Context: main thread of the test
#if defined(__x86_64__)
  .text
  .globl sf_assembly_middle
  .type sf_assembly_middle, @function
sf_assembly_middle:
  subq $40, %rsp
  call sf_c_inner@PLT
  addq $40, %rsp
  ret
  .size sf_assembly_middle, . - sf_assembly_middle
#elif defined(__aarch64__)
  .text
  .globl sf_assembly_middle
  .type sf_assembly_middle, %function
sf_assembly_middle:
  str x30, [sp, #-48]!
  bl sf_c_inner
  ldr x30, [sp], #48
  ret
  .size sf_assembly_middle, . - sf_assembly_middle
#endif
  .section .note.GNU-stack, "", %progbits
