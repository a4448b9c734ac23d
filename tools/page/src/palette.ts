// SPDX-License-Identifier: Apache-2.0
// Colours by meaning. Their values are in style.css, where light, dark and print differ.

import { STATES, type CAUSES, type SPANS } from "../fields";
import type { Method, Tree } from "./data";

export const stateAt = (tree: Tree, sample: number): number =>
  Math.min(parseInt(tree.state[sample]!, 36), STATES.length - 1);

// The owner of a frame's code.
export const OWNERS = {
  app: "application",
  platform: "platform or library",
  native: "native code",
  truncated: "stack was truncated",
  root: "whole message",
} as const;
export type Owner = keyof typeof OWNERS;

export function ownerOf(method: Method | undefined): Owner {
  if (!method) return "root";
  if (method.truncated) return "truncated";
  return method.native ? "native" : method.platform ? "platform" : "app";
}

// A thread's activity: states that share one colour.
export const ACTS = {
  app: "computing",
  native: "in native code",
  blocked: "blocked on a lock",
  waiting: "waiting",
  sleeping: "sleeping",
  binder: "waiting for another process (binder)",
  io: "I/O",
  memory: "page faults",
  runtime: "garbage collector or runtime",
  ready: "waiting for CPU",
  frozen: "process not run",
  other: "not known",
} as const;
export type Act = keyof typeof ACTS;

export const actOfState = (state: number): Act => STATES[state]!.act;

export const COLOUR_OF_SPAN: Record<keyof typeof SPANS, string> = {
  unknown: "class-quick",
  quick: "class-quick",
  mixed: "class-normal",
  slow: "class-slow",
  normal: "class-normal",
  system: "class-system",
  frame: "class-frame",
  idle: "class-idle",
  frozen: "class-frozen",
  lost: "class-lost",
  outside: "class-outside",
  blind: "class-blind",
};

export const COLOUR_OF_CAUSE: Record<keyof typeof CAUSES, string> = {
  work: "app",
  "quick-messages": "class-quick",
  sleep: "sleeping",
  wait: "waiting",
  lock: "blocked",
  binder: "binder",
  "input-output": "io",
  memory: "memory",
  runtime: "runtime",
  "no-cpu": "ready",
  "standing-still": "waiting",
  outside: "class-idle",
  barrier: "barrier",
  frozen: "class-frozen",
  unseen: "class-lost",
};

// The class of a mark in style.css, by the colour's name.
export const markOf = (colour: string): string => (/^(class-|barrier$)/.test(colour) ? colour : `kind-${colour}`);

export class Palette {
  private readonly style = getComputedStyle(document.documentElement);
  private readonly known = new Map<string, string>();

  get(name: string): string {
    let value = this.known.get(name);
    if (value === undefined) {
      value = this.style.getPropertyValue(`--${name}`).trim() || "#888888";
      this.known.set(name, value);
    }
    return value;
  }
}

// Calls `redraw` when light changes to dark or the page is printed. Returns a function that stops it.
export function onPaletteChange(redraw: () => void): () => void {
  const queries = ["(prefers-color-scheme: dark)", "print"].map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener("change", redraw);
  addEventListener("beforeprint", redraw);
  return () => {
    for (const query of queries) query.removeEventListener("change", redraw);
    removeEventListener("beforeprint", redraw);
  };
}
