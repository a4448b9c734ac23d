// SPDX-License-Identifier: Apache-2.0
// The timeline's items for one thread: messages one by one, and the stretches between them.

import { SPANS } from "../fields";
import { startIn, type Dump, type Fact, type Followed, type Jank, type Message, type Span, type Tree } from "./data";
import { count, counted, duration, relative, share, withoutPackages } from "./format";
import { stateRuns, type StateRun } from "./states";
import { ACTS, actOfState, COLOUR_OF_SPAN, type Act } from "./palette";

export interface Item {
  id: string; // a message's token, or "s" and the number of a span
  looper: number;
  kind: keyof typeof SPANS;
  start: number | null;
  length: number; // us, like all times
  wall: number | null; // its share of the length, for messages
  cpu: number | null;
  queue: number | null; // ready, without a CPU
  label: string;
  states: StateRun[]; // in order from its start; empty without samples
  colour: string; // a name of style.css: a message's main activity, or the class of another stretch
  message: Message | null;
  span: Span | null;
}

// From the samples, else from the counts of kernel and runtime.
function actOf(message: Message, states: StateRun[]): Act {
  const times = new Map<Act, number>();
  const add = (act: Act, us: number | null): void => void times.set(act, (times.get(act) ?? 0) + (us ?? 0));
  for (const run of states) add(actOfState(run.state), run.end - run.start);
  if (states.length === 0) {
    add("app", message.cpu);
    add("ready", message.queue);
    add("blocked", message.blocked);
    const standing = (message.wall ?? 0) - (message.cpu ?? 0) - (message.queue ?? 0) - (message.blocked ?? 0);
    add(message.cpu === null ? "other" : "waiting", standing);
  }
  // The kernel counts all time without a CPU, samples only their part.
  const unsampled = states.length > 0 ? (message.queue ?? 0) - (times.get("ready") ?? 0) : 0;
  const running = (times.get("app") ?? 0) + (times.get("native") ?? 0);
  if (unsampled > 0 && running > 0) {
    const left = Math.max(0, 1 - unsampled / running);
    for (const act of ["app", "native"] as const) times.set(act, (times.get(act) ?? 0) * left);
    add("ready", Math.min(unsampled, running));
  }
  return [...times].reduce((most, each) => (each[1] > most[1] ? each : most), ["other", 0] as [Act, number])[0];
}

function messageItem(message: Message, tree: Tree | undefined): Item {
  const states = tree ? stateRuns([tree]) : [];
  return {
    id: message.token,
    looper: message.looper,
    kind: message.kind,
    start: message.start,
    length: message.wall ?? 0,
    wall: message.wall,
    cpu: message.cpu,
    queue: message.queue,
    label:
      message.system_name ||
      withoutPackages(message.callback || message.target || message.text.replace(/^Runnable /, "")),
    states,
    colour: actOf(message, states),
    message,
    span: null,
  };
}

function spanItem(span: Span, index: number): Item {
  return {
    id: `s${index}`,
    looper: span.looper,
    kind: span.kind,
    start: span.start,
    length: span.span,
    wall: span.wall,
    cpu: span.cpu,
    queue: null,
    label: withoutPackages(span.text),
    states: [],
    colour: COLOUR_OF_SPAN[span.kind],
    message: null,
    span,
  };
}

export function itemsOf(dump: Dump, trees: Tree[]): Item[] {
  const byToken = new Map(trees.map((tree) => [tree.token, tree]));
  return [
    ...dump.messages.map((message) => messageItem(message, byToken.get(message.token))),
    ...dump.spans.map(spanItem),
  ];
}

// The stretches of a thread that was followed, each of one place in the code and one state.
export const followedItems = (dump: Dump, { tid, start_ns, stretches }: Followed): Item[] =>
  stretches.map(({ from_us, us, place, state }) => {
    const start = startIn(dump, start_ns)! + from_us;
    const span: Span = {
      looper: 0,
      kind: "outside",
      start,
      span: us,
      wall: us,
      cpu: null,
      messages: 0,
      text: place || "code without a name",
    };
    return { ...spanItem(span, 0), id: `t${tid}-${start}`, colour: actOfState(state) };
  });

export function titleOf(item: Item): string {
  if (item.message) return item.message.text;
  const { messages } = item.span!;
  if (item.kind === "idle") return "no message ran";
  if (item.kind === "outside") return item.label || "code outside messages";
  if (item.kind === "blind") return "not recorded: another component had the tap's place";
  if (item.kind === "frozen") return "the process was not run";
  if (messages === 1) return item.label || "one message";
  return counted(messages, "message") + (item.label && `, the last ${item.label}`);
}

export const summaryOf = (item: Item): string =>
  `${titleOf(item)}: ${duration(item.length)}${item.message?.isRunning ? " so far" : ""}, from ${relative(item.start)}`;

export const frozenText = (frame: Jank["frozen"][number]): string =>
  `no new frame for ${duration(frame.duration_ns / 1000)}${frame.stage && frame.stage !== "unknown" ? `, mostly ${frame.stage}` : ""}${frame.scene && `, ${frame.scene}`}`;

function part(us: number | null, whole: number | null): string {
  if (us === null) return "not in this dump";
  return whole && us <= whole ? `${duration(us)} (${share(us, whole)})` : duration(us);
}

// Omits unknown, zero and absent facts.
function messageFacts(message: Message, jank: Jank | null): Fact[] {
  const some = (label: string, value: string, isThere: unknown): Fact[] => (isThere ? [[label, value]] : []);
  const blocked = part(message.blocked, message.wall);
  const holder = `thread ${message.lock_owner_tid} (${message.lock_owner})`;
  const notes = [message.threw && "threw", message.nested && "nested"].filter(Boolean).join(", ");
  return [
    ["message", message.text],
    ["class", SPANS[message.kind].text],
    ["number", message.token],
    ...some("began", `${relative(message.start)} from the dump`, message.start !== null),
    ["ran", message.isRunning ? `${duration(message.wall)} so far, still running` : duration(message.wall)],
    ...some("CPU time", part(message.cpu, message.wall), message.cpu !== null),
    ...some("waiting for CPU", part(message.queue, message.wall), message.queue),
    ...some("blocked on monitors", message.lock_owner_tid ? `${blocked}, held by ${holder}` : blocked, message.blocked),
    ...some("waited in the queue", duration(message.wait), message.wait),
    ...some("system message", message.system_name, message.system_name),
    ...some(
      "frame, mostly",
      message.frame_stage,
      message.kind === "frame" && message.frame_stage !== "unknown" && message.frame_stage,
    ),
    ...(jank?.frozen ?? [])
      .filter((frame) => String(frame.token) === message.token)
      .map((frame): Fact => ["froze the screen", frozenText(frame)]),
    ...some("handler", message.target, message.target),
    ...some("callback", message.callback, message.callback),
    ...some("what", String(message.what), message.what),
    ...some("samples", count(message.samples), message.samples),
    ...some("notes", notes, notes),
  ];
}

// If several kinds share a colour, the last one names it.
const SPAN_TEXTS = new Map<string, string>(
  Object.entries(SPANS).map(([kind, { text }]) => [COLOUR_OF_SPAN[kind as keyof typeof SPANS], text]),
);

export const legendOf = (colour: string): string => SPAN_TEXTS.get(colour) ?? ACTS[colour as Act];

function spanFacts(span: Span): Fact[] {
  const facts: Fact[] = [
    ["class", SPANS[span.kind].text],
    ["began", span.start === null ? "unknown" : `${relative(span.start)} from the dump`],
    ["length", duration(span.span)],
  ];
  if (span.messages === 0) return facts;
  return [
    ...facts,
    ["messages", count(span.messages)],
    ["they ran", part(span.wall, span.span)],
    ["CPU time", part(span.cpu, span.wall)],
    ...(span.text ? [[span.messages === 1 ? "message" : "the last one", span.text] as Fact] : []),
  ];
}

export const factsOf = (item: Item, jank: Jank | null): Fact[] =>
  item.message ? messageFacts(item.message, jank) : spanFacts(item.span!);
