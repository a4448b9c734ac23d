// SPDX-License-Identifier: Apache-2.0
// All threads with their CPU use and stacks. The main thread and those that it waits for come first.

import { useMemo, useState } from "preact/hooks";
import { copy } from "./clipboard";
import type { Dump, StackGroup, ThreadRow } from "./data";
import { count, counted, share, shortName } from "./format";
import { Fold, Section } from "./section";
import { Trace } from "./source";

const STATES: Record<string, string> = {
  R: "running",
  S: "sleeping",
  D: "waiting for the disk",
  T: "stopped",
  t: "stopped",
  Z: "ended",
  I: "idle",
};
const MOST_OPEN = 6;

interface Thread {
  tid: number;
  name: string;
  state: string;
  row: ThreadRow | null;
  stack: string[]; // innermost first
}

function threadsOf({ threads, page: { stacks }, verdict, loopers }: Dump): Thread[] {
  const all = new Map<number, Thread>();
  for (const row of threads?.rows ?? [])
    all.set(row.tid, { tid: row.tid, name: row.name, state: STATES[row.state] ?? row.state, row, stack: [] });
  const standing = (stacks?.groups ?? []).flatMap(({ threads: group, stack }) =>
    group.map((thread): [StackGroup["threads"][number], string[]] => [thread, stack]),
  );
  for (const [{ tid, name, state, absent }, stack] of standing) {
    const known = all.get(tid);
    // The kernel truncates names, and knows less of a thread's wait than ART.
    all.set(tid, {
      tid,
      name,
      state: absent || (state === "other" && known?.state) || state,
      row: known?.row ?? null,
      stack,
    });
  }
  const first = [loopers[0]?.tid, ...verdict.chain.threads.map((waiter) => waiter.tid)];
  const named = [...all.values()].filter((thread) => verdict.threads.includes(thread.name));
  const rank = new Map([...first, ...named.map((thread) => thread.tid)].map((tid, i) => [tid, i]));
  const used = ({ row }: Thread): number => (row ? (row.user_ms ?? 0) + (row.system_ms ?? 0) : 0);
  const order = (thread: Thread): number => rank.get(thread.tid) ?? Infinity;
  return [...all.values()].sort((a, b) => (order(a) === order(b) ? used(b) - used(a) : order(a) - order(b)));
}

function usedText({ user_ms, system_ms, interval_ms, runqueue_wait_ms, nice }: ThreadRow): string {
  const used = (user_ms ?? 0) + (system_ms ?? 0);
  const of = interval_ms === 0 ? "since it began" : `in ${count(interval_ms)} ms (${share(used, interval_ms)})`;
  return [
    ...(used > 0 ? [`${count(used)} ms of CPU ${of}`] : []),
    ...(runqueue_wait_ms ? [`waited ${count(runqueue_wait_ms)} ms for a CPU`] : []),
    ...(nice > 0 ? ["low priority"] : []),
  ].join(", ");
}

// As in traces.txt.
const traceOf = ({ name, tid, state, stack }: Thread): string =>
  [`"${name}" sysTid=${tid} ${state}`, ...stack.map((frame) => `  at ${frame}`), ""].join("\n");

function Row({ thread, isOpen }: { thread: Thread; isOpen: boolean }) {
  const top = thread.stack.find((frame) => !/^(native |java|android|dalvik|jdk|sun)/.test(frame)) ?? thread.stack[0];
  const used = thread.row && usedText(thread.row);
  return (
    <Fold
      id={`thread-${thread.tid}`}
      open={isOpen}
      summary={
        <>
          {thread.name} <span class="quiet">{thread.tid}</span> {thread.state}
          {used && <span class="quiet"> · {used}</span>}
          {top && <code class="quiet"> · {shortName(top.replace(/ ?\(.*/, ""))}</code>}
        </>
      }
    >
      {thread.stack.length > 0 ? <Trace frames={thread.stack} /> : <p class="quiet">No stack in this dump.</p>}
    </Fold>
  );
}

export function Threads({ dump }: { dump: Dump }) {
  const [done, setDone] = useState("");
  const threads = useMemo(() => threadsOf(dump), [dump]);
  const absent = dump.threads?.absent || dump.page.stacks?.absent;
  if (threads.length === 0 && !absent) return null;
  const involved = 1 + dump.verdict.chain.threads.length;
  const unlisted = Math.max(dump.threads?.threads ?? 0, dump.page.stacks?.threads ?? 0) - threads.length;
  const take = (): void => void copy(threads.map(traceOf).join("\n")).then(setDone);
  return (
    <Section id="threads" title="Threads">
      {absent && <p class="quiet">{absent}</p>}
      {threads.length > 0 && (
        <p class="tools">
          <button type="button" onClick={take}>
            Copy all
          </button>
          <span role="status">{done}</span>
        </p>
      )}
      {threads.map((thread, i) => (
        <Row thread={thread} isOpen={i < Math.min(involved, MOST_OPEN) && thread.stack.length > 0} />
      ))}
      {unlisted > 0 && <p class="quiet">{counted(unlisted, "more thread")}, less busy.</p>}
    </Section>
  );
}
