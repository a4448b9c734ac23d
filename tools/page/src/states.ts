// SPDX-License-Identifier: Apache-2.0
// A thread's states along time, in true order: running, ready, waiting for something.

import { bisector } from "d3-array";
import { STATES } from "../fields";
import type { Tree } from "./data";
import { share } from "./format";
import type { Graph } from "./graph";
import { actOfState, stateAt, type Palette } from "./palette";
import type { Range, Surface } from "./range";

// The thread was in one state from `start` to `end`, in us from the first sample's start.
export interface StateRun {
  start: number;
  end: number;
  state: number;
}

// In chronological order, one message after another.
export function stateRuns(trees: Tree[]): StateRun[] {
  const runs: StateRun[] = [];
  let time = 0;
  for (const tree of trees) {
    for (let i = 0; i < tree.weight.length; ++i) {
      const state = stateAt(tree, i);
      const end = time + tree.weight[i]!;
      const last = runs.at(-1);
      if (last?.state === state) last.end = end;
      else if (end > time) runs.push({ start: time, end, state });
      time = end;
    }
  }
  return runs;
}

const ends = bisector<StateRun, number>((run) => run.end);

export function runAt(runs: StateRun[], at: number): StateRun | undefined {
  const run = runs[ends.right(runs, at)];
  return run && run.start <= at ? run : undefined;
}

// Each pixel shows the state with most of its time. `start` is the position of the runs' 0 on the axis of `range`.
export function drawStates(
  surface: Surface,
  colours: Palette,
  range: Range,
  runs: StateRun[],
  start: number,
  y: number,
  height: number,
): void {
  const { context, width } = surface;
  const scale = width / range.span;
  const left = Math.max(0, Math.floor((start - range.from) * scale));
  const last = runs.at(-1);
  if (!last) return;
  const right = Math.min(width, Math.ceil((start + last.end - range.from) * scale));
  let index = ends.right(runs, range.from + left / scale - start);
  for (let x = left; x < right;) {
    const end = range.from + (x + 1) / scale - start;
    const from = range.from + x / scale - start;
    let [best, most] = [-1, 0];
    for (; index < runs.length && runs[index]!.start < end; ++index) {
      const run = runs[index]!;
      const time = Math.min(run.end, end) - Math.max(run.start, from);
      if (time > most) [best, most] = [run.state, time];
      if (run.end > end) break;
    }
    // A run that continues is drawn to its last whole pixel.
    const run = runs[index];
    const until = run && run.state === best ? Math.floor((start + run.end - range.from) * scale) : 0;
    const next = Math.min(Math.max(until, x + 1), right);
    if (best >= 0) {
      context.fillStyle = colours.get(actOfState(best));
      context.fillRect(x, y, next - x, height);
    }
    x = next;
  }
}

// "running 72%, waiting for CPU 27%"
export function statesOf(graph: Graph, node: number): string {
  const times = graph.byState.map((column, state): [number, string] => [column[node]!, STATES[state]!.text]);
  return times
    .filter(([time]) => time > 0)
    .sort((a, b) => b[0] - a[0])
    .slice(0, 4)
    .map(([time, state]) => `${state} ${share(time, graph.total[node]!)}`)
    .join(", ");
}
