// SPDX-License-Identifier: Apache-2.0
// A graph's methods as a table, and who calls whom.

import type { Report } from "./data";
import { depthFirst, type Graph } from "./graph";

export interface MethodRow {
  method: number;
  self: number;
  total: number;
  line: number; // of its innermost frames, the one with most time
}

// Own and total time by method, without truncations. A stack counts once, even if the method is on it several times.
export function methodTable(report: Report, lines: Graph): MethodRow[] {
  const rows = new Map<number, MethodRow & { places: Map<number, number>; open: number }>();
  depthFirst(
    lines,
    (node) => {
      const method = lines.method[node]!;
      let row = rows.get(method);
      if (!row) rows.set(method, (row = { method, self: 0, total: 0, line: -1, places: new Map(), open: 0 }));
      row.self += lines.self[node]!;
      if (row.open++ === 0) row.total += lines.total[node]!;
      const line = lines.line[node]!;
      // A nested call also counts at its own line, which does not change the hottest line.
      row.places.set(line, (row.places.get(line) ?? 0) + lines.total[node]!);
    },
    (node) => void --rows.get(lines.method[node]!)!.open,
  );
  rows.delete(-1);
  for (const row of rows.values()) {
    let best = -1;
    for (const [line, time] of row.places) {
      if (time > best) [row.line, best] = [line, time];
    }
  }
  return [...rows.values()]
    .filter((row) => !report.methods[row.method]!.truncated)
    .sort((a, b) => b.self - a.self || b.total - a.total);
}

// Callers and callees of `method`, with the time of these calls. A stack counts once for each pair.
export function neighbours(
  down: Graph,
  method: number,
): { callers: Map<number, number>; callees: Map<number, number> } {
  const callers = new Map<number, number>();
  const callees = new Map<number, number>();
  const open = new Map<string, number>();
  const pairOf = (node: number): [Map<number, number>, number] | null => {
    const parent = node > 0 ? down.method[down.parent[node]!]! : -1;
    if (node > 0 && down.method[node] === method && parent !== method) return [callers, parent];
    return node > 0 && parent === method ? [callees, down.method[node]!] : null;
  };
  const keyOf = (pair: [Map<number, number>, number]): string => `${pair[0] === callers} ${pair[1]}`;
  depthFirst(
    down,
    (node) => {
      const pair = pairOf(node);
      if (!pair) return;
      const depth = open.get(keyOf(pair)) ?? 0;
      if (depth === 0) pair[0].set(pair[1], (pair[0].get(pair[1]) ?? 0) + down.total[node]!);
      open.set(keyOf(pair), depth + 1);
    },
    (node) => {
      const pair = pairOf(node);
      if (pair) open.set(keyOf(pair), open.get(keyOf(pair))! - 1);
    },
  );
  return { callers, callees };
}
