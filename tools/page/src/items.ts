// SPDX-License-Identifier: Apache-2.0
// What the timeline shows of one thread: messages one by one, and the stretches between them.

import type { Dump, Fact, Jank, Message, Span, Tree } from "./data";
import { count, counted, duration, relative, share, withoutPackages } from "./format";
import { stateRuns, type StateRun } from "./states";
import { CLASSES } from "./palette";

export interface Item {
  id: string; // the token of a message, "s" and the number of a span
  looper: number;
  class: string;
  start: number | null;
  length: number; // us, as all times
  wall: number | null; // of the length, in messages
  cpu: number | null;
  queue: number | null; // ready, without a CPU
  label: string;
  states: StateRun[]; // in order from its start; without samples none are known
  message: Message | null;
  span: Span | null;
}

function messageItem(message: Message, tree: Tree | undefined): Item {
  return {
    id: message.token,
    looper: message.looper,
    class: message.class,
    start: message.start,
    length: message.wall ?? 0,
    wall: message.wall,
    cpu: message.cpu,
    queue: message.queue,
    label: message.system || withoutPackages(message.callback || message.target || message.text),
    states: tree ? stateRuns([tree]) : [],
    message,
    span: null,
  };
}

function spanItem(span: Span, index: number): Item {
  return {
    id: `s${index}`,
    looper: span.looper,
    class: span.class,
    start: span.start,
    length: span.span,
    wall: span.wall,
    cpu: span.cpu,
    queue: null,
    label: withoutPackages(span.text),
    states: [],
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

export function titleOf(item: Item): string {
  if (item.message) return item.message.text;
  const { messages } = item.span!;
  if (item.class === "idle") return "no message ran";
  if (item.class === "outside") return item.label || "code outside messages";
  if (item.class === "blind") return "not recorded: another component had the tap's place";
  if (item.class === "frozen") return "the process was not run";
  return messages === 1 ? item.label || "one message" : counted(messages, "message");
}

export const summaryOf = (item: Item): string =>
  `${titleOf(item)}: ${duration(item.length)}${item.message?.running ? " so far" : ""}, from ${relative(item.start)}`;

export const frozenText = (frame: Jank["frozen"][number]): string =>
  `no new frame for ${duration(frame.duration)}${frame.stage && frame.stage !== "unknown" ? `, mostly ${frame.stage}` : ""}${frame.scene && `, ${frame.scene}`}`;

function part(us: number | null, whole: number | null): string {
  if (us === null) return "not in this dump";
  return whole ? `${duration(us)} (${share(us, whole)})` : duration(us);
}

function messageFacts(message: Message, jank: Jank | null): Fact[] {
  const blocked = part(message.blocked, message.wall);
  return [
    ["message", message.text],
    ["class", CLASSES[message.class] ?? message.class],
    ["token", message.token],
    ["began", message.start === null ? "unknown" : `${relative(message.start)} from the dump`],
    ["ran", message.running ? `${duration(message.wall)} so far, still running` : duration(message.wall)],
    ["CPU time", part(message.cpu, message.wall)],
    ["waiting for CPU", part(message.queue, message.wall)],
    ["blocked on monitors", message.lock ? `${blocked}, held by ${message.lock}` : blocked],
    ["waited in the queue", duration(message.wait)],
    ...(message.system ? [["system message", message.system] as Fact] : []),
    ...(message.class === "frame" ? [["frame, mostly", message.stage || "unknown"] as Fact] : []),
    ...(jank?.frozen ?? [])
      .filter((frame) => frame.token === message.token)
      .map((frame): Fact => ["froze the screen", frozenText(frame)]),
    ["handler", message.target || "unknown"],
    ["callback", message.callback || "none or unknown"],
    ["what", message.what === null ? "unknown" : String(message.what)],
    ["samples", count(message.samples)],
    ["notes", message.flags || "none"],
  ];
}

function spanFacts(span: Span): Fact[] {
  const facts: Fact[] = [
    ["class", CLASSES[span.class] ?? span.class],
    ["began", span.start === null ? "unknown" : `${relative(span.start)} from the dump`],
    ["length", duration(span.span)],
  ];
  if (span.messages === 0) return facts;
  return [
    ...facts,
    ["messages", count(span.messages)],
    ["they ran", part(span.wall, span.span)],
    ["CPU time", part(span.cpu, span.wall)],
    [span.messages === 1 ? "message" : "the last one", span.text || "unknown"],
  ];
}

export const factsOf = (item: Item, jank: Jank | null): Fact[] =>
  item.message ? messageFacts(item.message, jank) : spanFacts(item.span!);
