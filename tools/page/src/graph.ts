// SPDX-License-Identifier: Apache-2.0
// Graphs from trace trees: the flame chart (samples in order), the merged graph from the outermost method down, and the
// merged graph from the innermost method up.

import type { Report, Tree } from "./data";
import { STATES } from "../fields";
import { stateAt } from "./palette";

const STATE_COUNT = STATES.length;

// Which frames share a box.
// - recursion: a call of an already running method, and all calls between, belong to the outer call
// - libraries: a library method's calls of library methods belong to its box
// - framework: the dispatch of the message belongs to the root
export interface Shape {
  lines: boolean; // boxes distinguish lines
  recursion: boolean;
  libraries: boolean;
  framework: boolean;
}

// Parents precede their children; node 0 is the root. x goes from 0 to total[0].
export interface Graph {
  parent: number[];
  depth: number[];
  method: number[]; // -1 in the root
  line: number[]; // -1 unless the graph distinguishes lines
  hottest: number[]; // the line with most of its time
  samples: number[];
  total: number[]; // us
  self: number[];
  state: number[]; // with the largest part of the time
  start: Float64Array;
  byState: number[][]; // us, by state and node
  folded: (Set<number> | undefined)[]; // methods of frames folded into the box
  rows: Int32Array[]; // nodes by depth, from left to right
}

// For each sample, the time of all earlier samples: by state, and (last) in total.
function prefixSums(tree: Tree): Float64Array[] {
  const samples = tree.weight.length;
  const sums = Array.from({ length: STATE_COUNT + 1 }, () => new Float64Array(samples + 1));
  for (let i = 0; i < samples; ++i) {
    const state = stateAt(tree, i);
    for (const [which, sum] of sums.entries()) {
      sum[i + 1] = sum[i]! + (which === state || which === STATE_COUNT ? tree.weight[i]! : 0);
    }
  }
  return sums;
}

class Builder {
  readonly parent: number[] = [];
  readonly method: number[] = [];
  readonly line: number[] = [];
  readonly hottest: number[] = [];
  private readonly timeAt: (Map<number, number> | undefined)[] = []; // by line
  readonly samples: number[] = []; // own only, until finish() adds those of callees; the same for `total` and `byState`
  readonly total: number[] = [];
  readonly byState: number[][] = Array.from({ length: STATE_COUNT }, () => []);
  readonly folded: (Set<number> | undefined)[] = [];

  add(parent: number, method: number, line: number): number {
    this.parent.push(parent);
    this.method.push(method);
    this.hottest.push(line);
    this.timeAt.push(undefined);
    this.folded.push(undefined);
    for (const column of [this.samples, this.total, ...this.byState]) column.push(0);
    return this.line.push(line) - 1;
  }

  fold(node: number, methods: Iterable<number> | undefined): void {
    if (!methods) return;
    const set = (this.folded[node] ??= new Set());
    for (const method of methods) set.add(method);
  }

  addSpan(node: number, sums: Float64Array[], from: number, to: number): void {
    this.samples[node]! += to - from;
    this.total[node]! += sums[STATE_COUNT]![to]! - sums[STATE_COUNT]![from]!;
    for (let state = 0; state < STATE_COUNT; ++state) {
      this.byState[state]![node]! += sums[state]![to]! - sums[state]![from]!;
    }
  }

  addLine(node: number, line: number, time: number): void {
    const times = (this.timeAt[node] ??= new Map<number, number>());
    const sum = (times.get(line) ?? 0) + time;
    if (sum > (times.get(this.hottest[node]!) ?? -1)) this.hottest[node] = line;
    times.set(line, sum);
  }

  private dominant(node: number): number {
    let best = 0;
    for (let state = 1; state < STATE_COUNT; ++state) {
      if (this.byState[state]![node]! > this.byState[best]![node]!) best = state;
    }
    return best;
  }

  // Without `starts`, siblings are ordered heaviest first. Boxes without samples are dropped.
  finish(starts: number[] | null): Graph {
    const self = this.total.slice();
    for (let i = this.parent.length - 1; i > 0; --i) {
      for (const column of [this.samples, this.total, ...this.byState]) column[this.parent[i]!]! += column[i]!;
    }
    const kept = this.parent.map((_, i) => i).filter((i) => i === 0 || this.samples[i]! > 0);
    const numbers = new Map(kept.map((node, number) => [node, number]));
    const pick = <T>(column: T[]): T[] => kept.map((i) => column[i]!);
    const parent = pick(this.parent).map((node) => numbers.get(node) ?? -1);
    const depth: number[] = [];
    for (const [i, outer] of parent.entries()) depth[i] = outer < 0 ? 0 : depth[outer]! + 1;
    const total = pick(this.total);
    const start = starts ? Float64Array.from(pick(starts)) : pack(parent, depth, total);
    const rows: number[][] = [];
    for (const [i, row] of depth.entries()) (rows[row] ??= []).push(i);
    return {
      parent,
      depth,
      method: pick(this.method),
      line: pick(this.line),
      hottest: pick(this.hottest),
      samples: pick(this.samples),
      total,
      self: pick(self),
      start,
      byState: this.byState.map(pick),
      folded: pick(this.folded),
      state: kept.map((i) => this.dominant(i)),
      rows: rows.map((row) => Int32Array.from(row.sort((a, b) => start[a]! - start[b]!))),
    };
  }
}

function pack(parent: number[], depth: number[], total: number[]): Float64Array {
  const start = new Float64Array(parent.length);
  const next = new Float64Array(parent.length);
  const order = parent.map((_, i) => i);
  order.sort((a, b) => depth[a]! - depth[b]! || total[b]! - total[a]! || a - b);
  for (const node of order) {
    const outer = parent[node]!;
    if (outer < 0) continue;
    start[node] = start[outer]! + next[outer]!;
    next[outer]! += total[node]!;
  }
  return start;
}

const DISPATCHES = /^android\.os\.(Looper|Handler)\./;

// Number of outermost frames, shared by all samples, that dispatch the message.
export function frameworkFrames(report: Report, tree: Tree): number {
  let frames = 0;
  for (let i = 0; tree.depth[i] === i + 1 && tree.count[i] === tree.weight.length; ++i) {
    if (DISPATCHES.test(report.methods[report.frameMethod[tree.frame[i]!]!]!.name)) frames = i + 1;
  }
  return frames < tree.frame.length ? frames : 0;
}

// Boxes of merged stacks, and the box of each node of a tree.
class Merger extends Builder {
  private readonly known = new Map<number, number>(); // by caller, and method or frame

  constructor(
    private readonly report: Report,
    private readonly shape: Shape,
  ) {
    super();
    this.add(-1, -1, -1);
  }

  // Boxes by node of the tree. A folded frame has another frame's box.
  boxesOf(tree: Tree, sums: Float64Array[]): number[] {
    const boxes: number[] = [];
    const path = [0];
    const prefix = this.shape.framework ? frameworkFrames(this.report, tree) : 0;
    for (let i = 0; i < tree.frame.length; ++i) {
      const [frame, depth] = [tree.frame[i]!, tree.depth[i]!];
      const method = this.report.frameMethod[frame]!;
      const caller = path[depth - 1]!;
      const outer = i < prefix ? 0 : this.foldsInto(caller, method);
      if (outer >= 0) this.foldPath(outer, caller, method);
      const box = outer >= 0 ? outer : this.boxAt(caller, frame, method);
      if (outer < 0) {
        const whole = sums[STATE_COUNT]!;
        this.addLine(
          box,
          this.report.frameLine[frame]!,
          whole[tree.offset[i]! + tree.count[i]!]! - whole[tree.offset[i]!]!,
        );
      }
      boxes.push((path[depth] = box));
    }
    return boxes;
  }

  private boxAt(caller: number, frame: number, method: number): number {
    const key = caller * this.report.frameMethod.length + (this.shape.lines ? frame : method);
    let box = this.known.get(key);
    if (box === undefined) {
      box = this.add(caller, method, this.shape.lines ? this.report.frameLine[frame]! : -1);
      this.known.set(key, box);
    }
    return box;
  }

  // The box into which the call of `method` by `caller` folds; -1: it gets its own box.
  private foldsInto(caller: number, method: number): number {
    const isLibrary = (of: number): boolean => {
      const called = this.report.methods[of];
      return called !== undefined && called.platform && !called.truncated;
    };
    if (this.shape.libraries && isLibrary(method) && isLibrary(this.method[caller]!)) return caller;
    for (let box = this.shape.recursion ? caller : 0; box > 0; box = this.parent[box]!) {
      if (this.method[box] === method) return box;
    }
    return -1;
  }

  private foldPath(outer: number, caller: number, method: number): void {
    if (this.method[outer] !== method) this.fold(outer, [method]);
    for (let box = caller; box !== outer; box = this.parent[box]!) {
      this.fold(outer, [this.method[box]!, ...(this.folded[box] ?? [])]);
    }
  }
}

// Calls visit(node, first sample, sample after the last) for each run of samples that end in one node, in order. node
// is -1 for samples without frames.
function eachStretch(tree: Tree, visit: (node: number, from: number, to: number) => void): void {
  const open: number[] = [];
  let at = 0;
  const go = (to: number): void => {
    if (to > at) visit(open.at(-1) ?? -1, at, to);
    at = to;
  };
  const close = (depth: number): void => {
    while (open.length >= depth) {
      go(tree.offset[open.at(-1)!]! + tree.count[open.at(-1)!]!);
      open.pop();
    }
  };
  for (let i = 0; i < tree.frame.length; ++i) {
    close(tree.depth[i]!);
    go(tree.offset[i]!);
    open.push(i);
  }
  close(1);
  go(tree.weight.length);
}

// Equal calls merged, from the outermost method to the innermost.
export function topDown(report: Report, trees: Tree[], shape: Shape): Graph {
  const merger = new Merger(report, shape);
  for (const tree of trees) {
    const sums = prefixSums(tree);
    const boxes = merger.boxesOf(tree, sums);
    eachStretch(tree, (node, from, to) => merger.addSpan(boxes[node] ?? 0, sums, from, to));
  }
  return merger.finish(null);
}

// Samples in order, one message after another. Adjacent calls of a method are one box.
export function flameChart(report: Report, trees: Tree[], shape: Shape): Graph {
  const merger = new Merger(report, shape);
  const builder = new Builder();
  const starts = [0];
  builder.add(-1, -1, -1);
  let time = 0;
  for (const tree of trees) {
    const sums = prefixSums(tree);
    const whole = sums[STATE_COUNT]!;
    const boxes = merger.boxesOf(tree, sums);
    let open: [merged: number, box: number][] = [];
    eachStretch(tree, (node, from, to) => {
      const path: number[] = [];
      for (let box = boxes[node] ?? 0; box > 0; box = merger.parent[box]!) path.push(box);
      path.reverse();
      const differs = path.findIndex((merged, level) => open[level]?.[0] !== merged);
      open = open.slice(0, differs < 0 ? path.length : differs);
      for (const merged of path.slice(open.length)) {
        const box = builder.add(open.at(-1)?.[1] ?? 0, merger.method[merged]!, merger.line[merged]!);
        builder.hottest[box] = merger.hottest[merged]!;
        builder.folded[box] = merger.folded[merged];
        starts.push(time + whole[from]!);
        open.push([merged, box]);
      }
      builder.addSpan(open.at(-1)?.[1] ?? 0, sums, from, to);
    });
    time += whole[tree.weight.length]!;
  }
  builder.folded[0] = merger.folded[0];
  return builder.finish(starts);
}

// A number for each node, equal for equal method and line, and less than the number of nodes.
function placesOf(graph: Graph): Int32Array {
  const known = new Map<number, Map<number, number>>();
  let count = 0;
  return Int32Array.from(graph.method, (method, node) => {
    let lines = known.get(method);
    if (!lines) known.set(method, (lines = new Map<number, number>()));
    let place = lines.get(graph.line[node]!);
    if (place === undefined) lines.set(graph.line[node]!, (place = count++));
    return place;
  });
}

// By state and node: the time of the node's children.
function statesOfChildren(graph: Graph): Float64Array[] {
  return graph.byState.map((column) => {
    const sums = new Float64Array(column.length);
    for (let node = 1; node < column.length; ++node) sums[graph.parent[node]!]! += column[node]!;
    return sums;
  });
}

// The states of a node's own time.
const ownStates = (graph: Graph, childStates: Float64Array[], node: number): [state: number, time: number][] =>
  graph.byState.flatMap((column, state): [number, number][] => {
    const own = column[node]! - childStates[state]![node]!;
    return own > 0 ? [[state, own]] : [];
  });

// The inverted merged graph: methods with own time on top, their callers below. At most `limit` boxes; the rarest
// callers are dropped.
export function bottomUp(down: Graph, limit = 200_000): Graph {
  const builder = new Builder();
  const known = new Map<number, number>(); // by callee and place
  const places = placesOf(down);
  builder.add(-1, -1, -1);
  const ownSamples = down.samples.slice();
  for (let i = 1; i < ownSamples.length; ++i) ownSamples[down.parent[i]!]! -= down.samples[i]!;
  const childStates = statesOfChildren(down);
  const leaves = down.self.map((_, i) => i).filter((i) => i > 0 && down.self[i]! > 0);
  leaves.sort((a, b) => down.self[b]! - down.self[a]!);
  for (const leaf of leaves) {
    let at = 0;
    const own = down.self[leaf]!;
    for (let node = leaf; node > 0; node = down.parent[node]!) {
      const key = at * down.parent.length + places[node]!;
      let next = known.get(key);
      if (next === undefined) {
        if (builder.parent.length >= limit) break;
        next = builder.add(at, down.method[node]!, down.line[node]!);
        known.set(key, next);
      }
      builder.addLine(next, down.hottest[node]!, own);
      builder.fold(next, down.folded[node]);
      at = next;
    }
    builder.total[at]! += own;
    builder.samples[at]! += ownSamples[leaf]!;
    for (const [state, spent] of ownStates(down, childStates, leaf)) builder.byState[state]![at]! += spent;
  }
  return builder.finish(null);
}

// Visits the graph depth first; `leave` comes after a node's children.
export function depthFirst(graph: Graph, enter: (node: number) => void, leave: (node: number) => void): void {
  const size = graph.parent.length;
  const first = new Int32Array(size).fill(-1);
  const next = new Int32Array(size).fill(-1);
  for (let node = size - 1; node > 0; --node) {
    const parent = graph.parent[node]!;
    next[node] = first[parent]!;
    first[parent] = node;
  }
  let at = 0;
  enter(0);
  for (;;) {
    if (first[at]! >= 0) {
      at = first[at]!;
      enter(at);
      continue;
    }
    while (at > 0 && next[at]! < 0) {
      leave(at);
      at = graph.parent[at]!;
    }
    if (at <= 0) return;
    leave(at);
    at = next[at]!;
    enter(at);
  }
}
