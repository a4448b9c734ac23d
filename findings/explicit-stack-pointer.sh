#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A frame whose call frame information has a rule for rsp itself, as code that changes stacks needs.
#
# Guess: rsp is a register like others. Its rule (DW_CFA_offset) is applied wherever there is one; the caller's rsp is
#   the frame's CFA only where there is none. So all unwinders show the same callers.
# Seen: gdb, elfutils and libgcc apply the rule. libunwind takes the CFA nevertheless: the next frame, whose own CFA is
#   relative to rsp, is looked for on the wrong stack. It shows that frame's name, and then no caller. The error is
#   invisible where the callers keep a frame pointer.
# Also seen: libunwind.so defines _Unwind_Backtrace too. So a program that is linked with -lunwind gets its answers even
#   if it calls only the compiler's own unwinder.
# Versions: libunwind8 1.6.2-3, elfutils 0.188-2.1, gdb 13.1-3, gcc 12.2.0-14+deb12u1.
set -euo pipefail

work=$(mktemp -d)
cleanup() {
  [[ -z ${process:-} ]] || kill "$process" || true
  rm -rf "$work"
}
trap cleanup EXIT
cd "$work"

chmod 755 .
apt-get download -qq libunwind8=1.6.2-3 libunwind-dev=1.6.2-3 elfutils=0.188-2.1 libelf1=0.188-2.1 libdw1=0.188-2.1 \
  libasm1=0.188-2.1 gdb=13.1-3 >&2
for package in *.deb; do dpkg -x "$package" packages; done
libraries=$work/packages/usr/lib/x86_64-linux-gnu
[[ $(gcc -dumpfullversion) == 12.2.0 ]] || { echo "gcc is $(gcc -dumpfullversion), not 12.2.0"; exit 1; }

# on_other_stack(function, top): calls the function on the stack below `top`. There lie the old rsp, which points to the
# return address, and above it the caller's rsp.
cat >switch.s <<'END'
	.globl on_other_stack
	.type on_other_stack, @function
on_other_stack:
	.cfi_startproc
	mov %rsp, -32(%rsi)
	lea 8(%rsp), %rax
	mov %rax, -24(%rsi)
	lea -32(%rsi), %rsp
	.cfi_def_cfa_offset 16
	.cfi_offset rsp, -8
	# The return address is where the word at CFA - 16 points: DW_CFA_expression, lit16, minus, deref.
	.cfi_escape 0x10, 0x10, 3, 0x40, 0x1c, 0x06
	call *%rdi
	pop %rsp
	.cfi_def_cfa_offset 8
	.cfi_restore rsp
	.cfi_restore rip
	ret
	.cfi_endproc
	.size on_other_stack, .-on_other_stack
	.section .note.GNU-stack,"",@progbits
END
cat >program.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <unwind.h>
#ifdef OWN_API
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#endif

void on_other_stack(void (*function)(void), void* top);

static char stack[1 << 20] __attribute__((aligned(16)));
static int waits;

/* Of the program's own functions only: what lies below main is the C library's. */
static void show(uintptr_t return_address) {
  Dl_info found;
  if (dladdr((void*)(return_address - 1), &found) != 0 && found.dli_sname != NULL) printf(" %s", found.dli_sname);
}

static _Unwind_Reason_Code visit(struct _Unwind_Context* context, void* depth) {
  if (++*(int*)depth > 12) return _URC_END_OF_STACK;
  show(_Unwind_GetIP(context));
  return _URC_NO_REASON;
}

__attribute__((noinline)) void leaf(void) {
  if (waits) {
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    puts("ready");
    fflush(stdout);
    pause();
  }
#ifdef OWN_API
  unw_context_t context;
  unw_cursor_t cursor;
  unw_getcontext(&context);
  unw_init_local(&cursor, &context);
  for (int depth = 0; depth < 12; ++depth) {
    unw_word_t pc;
    unw_get_reg(&cursor, UNW_REG_IP, &pc);
    show(pc);
    if (unw_step(&cursor) <= 0) break;
  }
#else
  int depth = 0;
  _Unwind_Backtrace(visit, &depth);
#endif
  puts("");
  fflush(stdout);
}

__attribute__((noinline)) void middle(int n) {
  volatile char room[200];
  room[n] = 1;
  on_other_stack(leaf, stack + sizeof stack);
  room[n + 1] = 2;
}

__attribute__((noinline)) void outer(int n) {
  volatile char room[600];
  room[n] = 1;
  middle(n);
  room[n + 1] = 2;
}

int main(int argc, char** argv) {
  (void)argv;
  waits = argc > 1;
  outer(argc);
  return 0;
}
END

build() {
  gcc -O1 -g -rdynamic -no-pie -I"$work/packages/usr/include/x86_64-linux-gnu" -o "$1" "${@:2}" program.c switch.s \
    -L"$libraries" -Wl,--no-as-needed "${link[@]}"
}

# The program's own functions in a tool's answer, innermost first.
ours() { grep -oE '\b(leaf|on_other_stack|middle|outer|main)\b' <<<"$1" | xargs; }

# Both tools need the process: it waits in the innermost function.
ask_tools() {
  coproc "$1" wait
  process=$COPROC_PID
  read -r _ <&"${COPROC[0]}"
  answers[elfutils]=$(ours "$(LD_LIBRARY_PATH=$libraries packages/usr/bin/eu-stack -p "$process" 2>&1)")
  answers[gdb]=$(ours "$(packages/usr/bin/gdb -nx -batch -p "$process" -ex 'backtrace' 2>/dev/null |
    sed -n 's/^#[0-9]* *\(0x[0-9a-f]* in \)\?\([a-z_]*\) .*/\2/p')")
  kill "$process"
  wait "$process" 2>/dev/null || true
  process=
}

status=0
expect() {
  [[ ${answers[$1]} == "$2" ]] || { echo "$1 now shows: ${answers[$1]}"; status=1; }
}

declare -A answers
all="leaf on_other_stack middle outer main"
for frames in -fomit-frame-pointer -fno-omit-frame-pointer; do
  link=()
  build plain "$frames"
  link=(-lunwind)
  build linked "$frames"
  build own_api "$frames" -DOWN_API
  answers[libgcc]=$(ours "$(./plain)")
  answers[with -lunwind]=$(ours "$(LD_LIBRARY_PATH=$libraries ./linked)")
  answers[libunwind]=$(ours "$(LD_LIBRARY_PATH=$libraries ./own_api)")
  ask_tools ./plain
  for who in gdb elfutils libgcc libunwind "with -lunwind"; do
    printf '%-24s %-14s %s\n' "$frames" "$who" "${answers[$who]}"
  done
  seen=$all
  [[ $frames == -fno-omit-frame-pointer ]] || seen="leaf on_other_stack middle"
  for who in gdb elfutils libgcc; do expect "$who" "$all"; done
  for who in libunwind "with -lunwind"; do expect "$who" "$seen"; done
done
((status)) || echo "libunwind 1.6.2 ignores a frame's own rule for rsp, which gdb, elfutils and libgcc apply"
exit $status
