// SPDX-License-Identifier: Apache-2.0
// What tools/stillframe/render/page_data.cc writes into the page. Times are microseconds; a start is relative to
// the dump, so it is negative. null is "not in this dump". Texts are clean, but never markup.

export interface Method {
  name: string; // "com.foo.Bar.baz", or "[cut: reason]"
  signature: string;
  file: string;
  truncated: boolean;
  platform: boolean;
  native: boolean; // a function of C or C++: "read [libc.so.6]"
}

export interface Message {
  token: string; // may need 64 bits
  start: number | null;
  wait: number | null;
  wall: number | null;
  cpu: number | null;
  text: string;
  target: string;
  callback: string;
  what: number | null;
  class: string;
  stage: string; // of a frame, in which most of it went; "" is not a frame
  flags: string;
  samples: number;
  running: boolean;
  looper: number;
  queue: number | null; // ready, without a CPU
  blocked: number | null; // on monitors
  lock: string; // who held the monitor
  system: string; // name of a message of the system
}

// A stretch of the history: quick messages merged, or nothing to do.
export interface Span {
  looper: number;
  class: string;
  start: number | null;
  span: number;
  wall: number;
  cpu: number | null;
  messages: number;
  text: string;
}

export interface Looper {
  name: string;
  tid: number;
  tap: string;
  messages: number | null;
}

export interface Jank {
  absent: string;
  refresh: number;
  frames: number;
  missed: number;
  dueUnknown: number; // frames of which only the start is known
  watched: number;
  frozen: { token: string; start: number | null; duration: number; stage: string; scene: string }[];
  scenes: Fact[];
}

export interface ThreadRow {
  tid: number;
  name: string;
  state: string;
  user: number | null; // ms, as all times of threads
  system: number | null;
  interval: number;
  nice: number;
  queue: number | null;
}

export interface Pending {
  delay: number; // ms, negative is overdue
  text: string;
  what: number | null;
  async: boolean;
  barrier: boolean;
  system: boolean;
}

// Of the trace marker. What had not ended lasts until the dump.
export interface TraceSection {
  name: string;
  start: number;
  length: number;
  depth: number;
  async: boolean;
  open: boolean;
}

// Who took a part of the time that a verdict is about.
export interface Contributor {
  cause: string;
  time: number;
  text: string;
  running: boolean;
  tokens: string[]; // its messages, the costliest first
  methods: [method: string, place: string, own: number][]; // in the costliest of them
}

// Threads that stood at the same place when the dump was taken.
export interface StackGroup {
  threads: { tid: number; name: string; state: string; running: boolean; absent: string }[];
  stack: string[]; // innermost first
}

export interface Waiter {
  tid: number;
  name: string;
  waits: string; // "the monitor of app.Store", "" when it waits for nothing that is known
  own: string; // the innermost frame of the application
  stack: string[]; // innermost first
}

// Each thread waits for the next, the main thread is the first.
export interface Chain {
  threads: Waiter[];
  deadlock: number | null; // the last one waits for this one
  candidates: Waiter[]; // for what the last one waits for
}

export interface Verdict {
  kind: string;
  confidence: string;
  certainty: string; // the confidence, and why
  headline: string;
  sentence: string;
  next: string; // what to do
  meaning: string; // of its kind: paragraphs with `code`
  evidence: string[];
  token: string | null;
  tokens: string[]; // of all messages to blame, the costliest first
  threads: string[]; // names of other threads to blame
  chain: Chain | null;
  window: number; // the time in question
  contributors: Contributor[]; // the largest first, together `window`
}

export type Fact = [label: string, value: string | null];

export interface Dump {
  name: string;
  damage: string[];
  title: string;
  origin: string[]; // kind of ANR or trigger first, then application, device, time
  verdict: Verdict;
  messages: Message[];
  messagesLost: number;
  pending: { head: string; absent: string; more: number; messages: Pending[] };
  health: string;
  costs: Fact[];
  loopers: Looper[];
  spans: Span[];
  jank: Jank | null;
  sections: { absent: string; lost: number; more: number; main: TraceSection[] } | null;
  context: [title: string, rows: Fact[]][];
  threads: { absent: string; threads: number; rows: ThreadRow[] } | null;
  stacks: { absent: string; threads: number; time: number; groups: StackGroup[] } | null;
  signalCatcher: { source: string; absent: string; lines: string[] } | null;
  facts: [title: string, rows: Fact[]][];
}

// Nodes in preorder without the root; a node covers the samples [offset, offset + count).
export interface Tree {
  dump: number;
  token: string;
  taken: number;
  cuts: number;
  left: number; // nodes left out, those of fewest samples
  frame: number[];
  depth: number[];
  offset: number[];
  count: number[];
  weight: number[]; // per sample
  state: string; // per sample, in order, one digit to the base of 36, see palette.ts
}

// The texts of a row of the overview; "" is none or unknown.
const ROW_TEXTS = [
  "id", // of the content: the same in every report
  "name",
  "process",
  "kind", // it, frame and message are the cause
  "frame",
  "message",
  "messageKey", // equal in two dumps: one message of one process is to blame in both
  "version",
  "model",
  "api",
  "headline",
] as const;

export interface Row extends Record<(typeof ROW_TEXTS)[number], string> {
  taken: number; // seconds since 1970, 0 is unknown
  cost: number; // us: the headline's time
  whole: number; // its index in the dumps, -1 if it is not among them
}

export interface Report {
  version: string;
  sourceUrl: string; // with {file} and {line}, "" is none
  list: Row[]; // all dumps
  methods: Method[];
  frameMethod: number[];
  frameLine: number[];
  dumps: Dump[]; // those that can be opened, in the order of the list
  trees: Tree[];
}

interface Packed extends Omit<Report, "methods" | "list" | "trees"> {
  strings: string[];
  list: Record<"taken" | "cost" | "whole" | (typeof ROW_TEXTS)[number], number[]>;
  trees: Omit<Tree, "dump">[][]; // of each of the dumps
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

// "Bar.java:12", "native method", "unknown source"; the line numbers are those of Java's own stack traces.
export function placeOf(method: Method, line: number): string {
  if (method.truncated || (method.native && !method.file)) return "";
  if (line === -2) return "native method";
  if (!method.file) return line >= 0 ? `line ${line}` : "unknown source";
  return line >= 0 ? `${method.file}:${line}` : method.file;
}
