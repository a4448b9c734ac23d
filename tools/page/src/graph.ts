// SPDX-License-Identifier: Apache-2.0
// Graphs out of trace trees: the flame chart (samples in order), the merged graph from the outermost
// method down, the one from the innermost up.

import type { Report, Tree } from "./data";
import { STATES, stateAt } from "./palette";

const STATE_COUNT = STATES.length;

// How boxes are made of frames. Recursion folded, what a method calls of itself directly is a part of the
// outer call; libraries folded, what a method of theirs calls of theirs is a part of it.
export interface Shape {
  lines: boolean; // boxes tell lines apart
  recursion: boolean;
  libraries: boolean;
}

// Nodes with parents before their children; node 0 is the root. x goes from 0 to total[0].
export interface Graph {
  parent: number[];
  depth: number[];
  method: number[]; // -1 in the root
  line: number[]; // -1 unless the graph distinguishes lines
  longest: number[]; // the line at which it stood for the longest stretch
  samples: number[];
  total: number[]; // us
  self: number[];
  state: number[]; // that holds the largest part of the time
  start: Float64Array;
  byState: number[][]; // us, by state and node
  folded: boolean[]; // frames of other methods are parts of it
  rows: Int32Array[]; // nodes by depth, from left to right
}

// For each sample the time of all samples before it, by state and (last) in all.
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
  readonly depth: number[] = [];
  readonly method: number[] = [];
  readonly line: number[] = [];
  readonly longest: number[] = [];
  private readonly stretch: number[] = []; // at the line that is the longest so far
  readonly samples: number[] = [];
  readonly total: number[] = [];
  readonly self: number[] = [];
  readonly byState: number[][] = Array.from({ length: STATE_COUNT }, () => []);
  readonly folded: boolean[] = [];

  constructor(
    private readonly report: Report,
    private readonly shape: Shape,
  ) {}

  add(parent: number, method: number, line: number): number {
    const id = this.parent.length;
    this.parent.push(parent);
    this.depth.push(parent < 0 ? 0 : this.depth[parent]! + 1);
    this.method.push(method);
    this.line.push(line);
    this.longest.push(line);
    this.stretch.push(0);
    this.samples.push(0);
    this.total.push(0);
    this.self.push(0);
    this.folded.push(false);
    for (const column of this.byState) column.push(0);
    return id;
  }

  // The box that `caller` calling `method` is a part of, or -1 if that call has a box of its own.
  foldsInto(caller: number, method: number): number {
    const isLibrary = (of: number): boolean => {
      const called = this.report.methods[of];
      return called !== undefined && called.platform && !called.truncated;
    };
    if (this.shape.libraries && isLibrary(method) && isLibrary(this.method[caller]!)) {
      this.folded[caller] = true;
      return caller;
    }
    return this.shape.recursion && this.method[caller] === method ? caller : -1;
  }

  addSpan(node: number, sums: Float64Array[], from: number, to: number): void {
    this.samples[node]! += to - from;
    this.total[node]! += sums[STATE_COUNT]![to]! - sums[STATE_COUNT]![from]!;
    for (let state = 0; state < STATE_COUNT; ++state) {
      this.byState[state]![node]! += sums[state]![to]! - sums[state]![from]!;
    }
  }

  addLine(node: number, line: number, time: number): void {
    if (time <= this.stretch[node]!) return;
    this.stretch[node] = time;
    this.longest[node] = line;
  }

  dominant(node: number): number {
    let best = 0;
    for (let state = 1; state < STATE_COUNT; ++state) {
      if (this.byState[state]![node]! > this.byState[best]![node]!) best = state;
    }
    return best;
  }

  // `order` puts siblings in order; without it they are from the heaviest to the lightest.
  finish(starts: number[] | null): Graph {
    const size = this.parent.length;
    for (let i = 0; i < size; ++i) this.self[i]! += this.total[i]!;
    for (let i = 1; i < size; ++i) this.self[this.parent[i]!]! -= this.total[i]!;
    const start = starts ? Float64Array.from(starts) : this.pack();
    const rows: number[][] = [];
    for (let i = 0; i < size; ++i) (rows[this.depth[i]!] ??= []).push(i);
    return {
      parent: this.parent,
      depth: this.depth,
      method: this.method,
      line: this.line,
      longest: this.longest,
      samples: this.samples,
      total: this.total,
      self: this.self,
      start,
      byState: this.byState,
      folded: this.folded,
      state: this.parent.map((_, i) => this.dominant(i)),
      rows: rows.map((row) => Int32Array.from(row.sort((a, b) => start[a]! - start[b]!))),
    };
  }

  private pack(): Float64Array {
    const size = this.parent.length;
    const start = new Float64Array(size);
    const next = new Float64Array(size);
    const order = Array.from({ length: size }, (_, i) => i);
    order.sort((a, b) => this.depth[a]! - this.depth[b]! || this.total[b]! - this.total[a]! || a - b);
    for (const node of order) {
      const parent = this.parent[node]!;
      if (parent < 0) continue;
      start[node] = start[parent]! + next[parent]!;
      next[parent]! += this.total[node]!;
    }
    return start;
  }
}

// Calls visit(frame, depth, first sample, sample after the last) for the tree's nodes in preorder.
function eachNode(tree: Tree, visit: (frame: number, depth: number, from: number, to: number) => void): void {
  for (let i = 0; i < tree.frame.length; ++i) {
    visit(tree.frame[i]!, tree.depth[i]!, tree.offset[i]!, tree.offset[i]! + tree.count[i]!);
  }
}

// Samples in order, one message after another. Neighbouring calls of a method are one box.
export function flameChart(report: Report, trees: Tree[], shape: Shape): Graph {
  const builder = new Builder(report, shape);
  const starts = [0];
  builder.add(-1, -1, -1);
  const ends: number[] = [0]; // the sample after each box
  const lastChild: number[] = [-1];
  let firstSample = 0;
  let time = 0;
  for (const tree of trees) {
    const sums = prefixSums(tree);
    const whole = sums[STATE_COUNT]!;
    builder.addSpan(0, sums, 0, tree.weight.length);
    const path = [0];
    eachNode(tree, (frame, depth, from, to) => {
      const method = report.frameMethod[frame]!;
      const line = shape.lines ? report.frameLine[frame]! : -1;
      const parent = path[depth - 1]!;
      const outer = builder.foldsInto(parent, method);
      if (outer >= 0) {
        path[depth] = outer;
        return;
      }
      let node = lastChild[parent]!;
      const continues =
        node >= 0 &&
        builder.method[node] === method &&
        builder.line[node] === line &&
        ends[node] === firstSample + from &&
        from > 0;
      if (!continues) {
        node = builder.add(parent, method, line);
        starts.push(time + whole[from]!);
        ends.push(0);
        lastChild.push(-1);
        lastChild[parent] = node;
      }
      ends[node] = firstSample + to;
      builder.addSpan(node, sums, from, to);
      builder.addLine(node, report.frameLine[frame]!, whole[to]! - whole[from]!);
      path[depth] = node;
    });
    firstSample += tree.weight.length;
    time += whole[tree.weight.length]!;
  }
  return builder.finish(starts);
}

// Equal calls merged, from the outermost method to the innermost.
export function topDown(report: Report, trees: Tree[], shape: Shape): Graph {
  const builder = new Builder(report, shape);
  const known = new Map<number, number>(); // by caller, and method or frame
  builder.add(-1, -1, -1);
  for (const tree of trees) {
    const sums = prefixSums(tree);
    builder.addSpan(0, sums, 0, tree.weight.length);
    const path = [0];
    eachNode(tree, (frame, depth, from, to) => {
      const method = report.frameMethod[frame]!;
      const outer = builder.foldsInto(path[depth - 1]!, method);
      if (outer >= 0) {
        path[depth] = outer;
        return;
      }
      const line = shape.lines ? report.frameLine[frame]! : -1;
      const key = path[depth - 1]! * report.frameMethod.length + (shape.lines ? frame : method);
      let node = known.get(key);
      if (node === undefined) {
        node = builder.add(path[depth - 1]!, method, line);
        known.set(key, node);
      }
      builder.addSpan(node, sums, from, to);
      builder.addLine(node, report.frameLine[frame]!, sums[STATE_COUNT]![to]! - sums[STATE_COUNT]![from]!);
      path[depth] = node;
    });
  }
  return builder.finish(null);
}

// A number for each node, the same for the same method and line and less than the number of nodes.
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

// By state and node, the time that is not a node's own.
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

// The merged graph turned round: where the time itself was spent at the top, callers below.
// At most `limit` boxes, the rarest callers left out.
export function bottomUp(report: Report, down: Graph, limit = 200_000): Graph {
  const builder = new Builder(report, { lines: true, recursion: false, libraries: false });
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
    const states = ownStates(down, childStates, leaf);
    const count = (node: number): void => {
      builder.total[node]! += own;
      builder.samples[node]! += ownSamples[leaf]!;
      for (const [state, time] of states) builder.byState[state]![node]! += time;
    };
    count(0);
    for (let node = leaf; node > 0; node = down.parent[node]!) {
      const key = at * down.parent.length + places[node]!;
      let next = known.get(key);
      if (next === undefined) {
        if (builder.parent.length >= limit) break;
        next = builder.add(at, down.method[node]!, down.line[node]!);
        known.set(key, next);
      }
      count(next);
      builder.addLine(next, down.longest[node]!, own);
      builder.folded[next] ||= down.folded[node]!;
      at = next;
    }
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
