// SPDX-License-Identifier: Apache-2.0
// Paths through a graph: to a box, along the heaviest calls, to visible boxes.

import type { Report } from "./data";
import type { Graph } from "./graph";

// A box's stack, outermost first.
export function stackOf(graph: Graph, node: number): number[] {
  const stack: number[] = [];
  for (let at = node; at > 0; at = graph.parent[at]!) stack.push(at);
  return stack.reverse();
}

// From the outermost frame down, while one call holds half of the sampled time. A truncation's own time has no method.
export function heaviestPath(report: Report, down: Graph): number[] {
  const sampled = (node: number): number =>
    down.total[node]! - (report.methods[down.method[node]!]?.truncated ? down.self[node]! : 0);
  const whole = Array.from(down.rows[1] ?? []).reduce((sum, node) => sum + sampled(node), 0);
  const path: number[] = [];
  for (let at = 0; ;) {
    let best = -1;
    for (const node of down.rows[down.depth[at]! + 1] ?? []) {
      if (down.parent[node] === at && (best < 0 || sampled(node) > sampled(best))) best = node;
    }
    if (best < 0 || sampled(best) === 0 || 2 * sampled(best) < whole) return path;
    path.push((at = best));
  }
}

// The first box of a row that ends after `at`.
export function firstAfter(graph: Graph, row: Int32Array, at: number): number {
  let [low, high] = [0, row.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const node = row[middle]!;
    if (graph.start[node]! + graph.total[node]! <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The first box after `index` that ends after `at`. Rounding never goes back.
export const nextAfter = (graph: Graph, row: Int32Array, index: number, at: number): number =>
  Math.max(firstAfter(graph, row, at), index + 1);
