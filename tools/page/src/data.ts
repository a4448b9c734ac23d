// SPDX-License-Identifier: Apache-2.0
// The page's data. The types of a dump's fields are generated from its rows: ../fields.ts. This file adds the other
// data of page_data.cc, and what the page derives from both. Names end with their unit; without one, times are
// microseconds. Starts are relative to the dump, so they are negative. null: not in this dump. Texts are clean, but
// never markup.

import { SPANS, type DumpJson } from "../fields";

export interface Method {
  name: string; // "com.foo.Bar.baz", or "[cut: reason]"
  signature: string;
  file: string;
  truncated: boolean;
  platform: boolean;
  native: boolean; // a C or C++ function: "read [libc.so.6]"
}

type SpanKind = keyof typeof SPANS;

// A message with its times on the page's axis.
export interface Message extends Omit<MessageJson, "what" | "token"> {
  token: string; // as in the address
  start: number | null;
  wait: number | null;
  wall: number | null;
  cpu: number | null;
  queue: number | null; // ready, without a CPU
  blocked: number | null; // on monitors
  kind: SpanKind;
  what: number | null;
  isRunning: boolean;
}

// A stretch of the history: merged quick messages, or idle time.
export interface Span {
  looper: number;
  kind: SpanKind;
  start: number | null;
  span: number;
  wall: number;
  cpu: number | null;
  messages: number;
  text: string;
}

export type MessageJson = DumpJson["history"][number];
export type Verdict = DumpJson["verdict"];
export type Contributor = Verdict["contributors"][number];
export type Chain = Verdict["chain"];
export type Waiter = Chain["threads"][number];
export type Jank = NonNullable<DumpJson["jank"]>;
export type ThreadRow = NonNullable<DumpJson["threads"]>["rows"][number];
export type TraceSection = NonNullable<DumpJson["trace_sections"]>["sections"][number];
export type Pending = DumpJson["pending"]["messages"][number] & { text: string };

// Threads with the same stack at the dump.
export interface StackGroup {
  threads: { tid: number; name: string; state: string; running: boolean; absent: string }[];
  stack: string[]; // innermost first
}

// A thread that was followed while the main thread waited in a message.
export interface Followed {
  tid: number;
  name: string;
  role: string; // why it was followed
  start_ns: number; // of the message
  stretches: { from_us: number; us: number; place: string; state: number }[]; // since the message's start
}

export type Fact = [label: string, value: string | null, meaning?: string];

// Output of page_data.cc for a dump: that of `inspect --json`, without the members that are facts here, and these.
interface PageJson extends Omit<
  DumpJson,
  "pending" | "context" | "counters" | "configuration" | "annotations" | "thread_stacks" | "modules"
> {
  name: string;
  pending: Omit<DumpJson["pending"], "messages"> & { messages: Pending[] };
  page: {
    title: string;
    origin: string[]; // kind of ANR or trigger first, then application, device, time
    certainty: string; // confidence and its reason
    meaning: string; // of the verdict's kind: paragraphs with `code`
    slow_ns: number;
    left_out: Record<string, number>; // rows of long lists
    orphans: MessageJson[]; // for trees whose message is in no list
    queue: { head: string; absent: string };
    health: string;
    costs: Fact[];
    context: [title: string, rows: Fact[]][];
    stacks: { absent: string; threads: number; groups: StackGroup[] } | null;
    followed: Followed[];
    facts: [title: string, rows: Fact[]][];
  };
}

export interface Dump extends PageJson {
  messages: Message[]; // all with a token
  spans: Span[]; // the other parts of the history
}

const SYSTEM = "android.app.ActivityThread$H";
const FRAME = "android.view.Choreographer$FrameHandler"; // AOSP, Android 10 to 14

export const isOfSystem = (message: { target: string }): boolean => message.target === SYSTEM;

const inUs = (ns: number | null): number | null => (ns === null ? null : Math.trunc(ns / 1000));

export const startIn = (dump: { taken_monotonic_ns: number }, ns: number): number | null =>
  ns === 0 ? null : (ns - dump.taken_monotonic_ns) / 1000;

function kindOf(message: MessageJson, slowNs: number): SpanKind {
  if (message.segment) return "outside";
  if (message.frame_stage || message.target === FRAME) return "frame";
  if ((message.wall_ns ?? 0) >= slowNs) return "slow";
  return isOfSystem(message) ? "system" : "normal";
}

function messagesOf(dump: PageJson): Message[] {
  const running = [dump.running, ...dump.loopers.map((looper) => looper.running)].filter((each) => each !== null);
  const tokens = new Set(running.map((message) => message.token));
  return [...dump.history, ...dump.page.orphans, ...running].map((message) => ({
    ...message,
    token: String(message.token),
    start: startIn(dump, message.start_ns),
    wait: inUs(message.wait_ns),
    wall: inUs(message.wall_ns),
    cpu: inUs(message.cpu_ns),
    queue: inUs(message.runqueue_wait_ns),
    blocked: inUs(message.blocked_ns),
    kind: kindOf(message, dump.page.slow_ns),
    what: message.identity_unknown ? null : message.what,
    isRunning: tokens.has(message.token),
  }));
}

// Records (and groups, in dumps from before records) except messages that the page shows one by one.
function spansOf(dump: PageJson, messages: Message[]): Span[] {
  const shown = new Set(messages.map((message) => message.token));
  const { records } = dump.history_records;
  const first = records[0]?.start_ns ?? Infinity;
  const isShown = (count: number, tokens: number[]): boolean =>
    count === 1 && tokens.length === 1 && shown.has(String(tokens[0]));
  const groups = dump.history_groups.groups
    .filter((group) => group.start_ns < first && !isShown(group.messages, group.tokens))
    .map((group) => ({ ...group, text: "" }));
  const later = records
    .filter((record) => !isShown(record.messages, [record.token]))
    .map((record) => ({ ...record, text: record.system_name || record.callback || record.target }));
  return [...groups, ...later].map(({ looper, kind, start_ns, span_ns, wall_ns, cpu_ns, messages, text }) => ({
    looper,
    kind: kind === "system" && messages === 1 && wall_ns >= dump.page.slow_ns ? "slow" : kind,
    start: startIn(dump, start_ns),
    span: inUs(span_ns)!,
    wall: inUs(wall_ns)!,
    cpu: inUs(cpu_ns),
    messages,
    text,
  }));
}

// Long lists are stored as columns.
function unpacked(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unpacked);
  const { "#": rows, ...columns } = value as { "#"?: number } & Record<string, unknown[]>;
  const entries = Object.entries(columns).map(([name, column]) => [name, unpacked(column)] as const);
  if (rows === undefined) return Object.fromEntries(entries);
  return Array.from({ length: rows }, (_, i) =>
    Object.fromEntries(entries.map(([name, column]) => [name, (column as unknown[])[i] ?? null])),
  );
}

function dumpOf(packed: unknown): Dump {
  const dump = unpacked(packed) as PageJson;
  const loopers =
    dump.loopers.length > 0
      ? dump.loopers
      : [{ thread: "main", tid: dump.identity.pid, tap: "", messages: 0, running: null }];
  const messages = messagesOf(dump);
  return { ...dump, loopers, messages, spans: spansOf(dump, messages) };
}

// Nodes in preorder without the root. A node covers the samples [offset, offset + count).
export interface Tree {
  dump: number;
  token: string;
  taken: number;
  cuts: number;
  left: number; // omitted nodes, those with fewest samples
  frame: number[];
  depth: number[];
  offset: number[];
  count: number[];
  weight: number[]; // by sample
  state: string; // one base-36 digit per sample, in order: a row of STATES
}

// Texts of a row of the overview; "": none or unknown.
const ROW_TEXTS = [
  "id", // of the content: equal in every report
  "name",
  "process",
  "kind", // kind, frame and message are the cause
  "frame",
  "message",
  "messageKey", // equal in two dumps if the same message of one process is to blame
  "version",
  "model",
  "api",
  "headline",
] as const;

export interface Row extends Record<(typeof ROW_TEXTS)[number], string> {
  taken: number; // seconds since 1970; 0: unknown
  cost: number; // us: the headline's time
  whole: number; // index in the dumps; -1: not among them
}

export interface Report {
  version: string;
  sourceUrl: string; // with {file} and {line}; "": none
  list: Row[]; // all dumps
  methods: Method[];
  frameMethod: number[];
  frameLine: number[];
  dumps: Dump[]; // those that can be opened, in the order of the list
  trees: Tree[];
}

interface Packed extends Omit<Report, "methods" | "list" | "trees" | "dumps"> {
  dumps: unknown[];
  strings: string[];
  list: Record<"taken" | "cost" | "whole" | (typeof ROW_TEXTS)[number], number[]>;
  trees: Omit<Tree, "dump">[][]; // by dump
  methods: { name: number[]; signature: number[]; file: number[]; bits: number[] };
}

export async function readReport(base64: string): Promise<Report> {
  const bytes = Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const packed = (await new Response(stream).json()) as Packed;
  const { strings, methods, list } = packed;
  const wholes = new Map(list.whole.map((row, dump) => [row, dump]));
  return {
    ...packed,
    dumps: packed.dumps.map(dumpOf),
    list: list.id.map((_, i) => {
      const texts = Object.fromEntries(ROW_TEXTS.map((name) => [name, strings[list[name][i]!]!]));
      return { ...texts, taken: list.taken[i]!, cost: list.cost[i]!, whole: wholes.get(i) ?? -1 } as Row;
    }),
    trees: packed.trees.flatMap((trees, dump) => trees.map((tree) => ({ ...tree, dump }))),
    methods: methods.name.map((name, i) => ({
      name: strings[name]!,
      signature: strings[methods.signature[i]!]!,
      file: strings[methods.file[i]!]!,
      truncated: (methods.bits[i]! & 1) !== 0,
      platform: (methods.bits[i]! & 2) !== 0,
      native: (methods.bits[i]! & 4) !== 0,
    })),
  };
}

// "Bar.java:12", "native method", "unknown source". Line numbers follow Java's stack traces.
export function placeOf(method: Method, line: number): string {
  if (method.truncated || (method.native && !method.file)) return "";
  if (line === -2) return "native method";
  if (!method.file) return line >= 0 ? `line ${line}` : "unknown source";
  return line >= 0 ? `${method.file}:${line}` : method.file;
}
