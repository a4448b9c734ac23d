// SPDX-License-Identifier: Apache-2.0
// Several dumps grouped by cause: kind of verdict, frame and message.

import type { Row } from "./data";
import { byVersion } from "./format";

const BUCKETS = 12; // from the report's first dump to its last
const FEW = 4; // messages without a trend

export interface Cluster {
  rows: Row[]; // costliest first
  copies: Set<Row>; // of the same message as another of `rows`
  cost: number; // us, without copies
  messages: number;
  versions: string[]; // known ones, oldest first
  times: number[]; // messages by time; empty if all dumps have the same time
  trend: string;
}

const versionsOf = (rows: Row[]): string[] =>
  [...new Set(rows.map((row) => row.version).filter(Boolean))].sort(byVersion);

function timesOf(rows: Row[], from: number, to: number): number[] {
  if (from >= to) return [];
  const times = Array.from({ length: BUCKETS }, () => 0);
  for (const { taken } of rows)
    if (taken > 0) times[Math.min(BUCKETS - 1, Math.floor((BUCKETS * (taken - from)) / (to - from)))]! += 1;
  return times;
}

function trendOf(times: number[], versions: string[], all: string[]): string {
  if (versions[0] !== undefined && versions[0] !== all[0]) return `new in ${versions[0]}`;
  const sum = (part: number[]): number => part.reduce((total, each) => total + each, 0);
  const [early, late] = [sum(times.slice(0, BUCKETS / 2)), sum(times.slice(BUCKETS / 2))];
  if (early + late < FEW) return "";
  return late > 2 * early ? "more" : early > 2 * late ? "less" : "";
}

// Groups dumps that pass `kept` by cause. Trends compare them with all dumps.
export function clustersOf(list: Row[], kept: (row: Row) => boolean): Cluster[] {
  const all = versionsOf(list);
  let [from, to] = [Infinity, 0];
  const groups = new Map<string, Row[]>();
  for (const row of list) {
    if (row.taken > 0) [from, to] = [Math.min(from, row.taken), Math.max(to, row.taken)];
    if (!kept(row)) continue;
    const key = [row.kind, row.frame, row.message].join("\n");
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const clusters = [...groups.values()].map((rows): Cluster => {
    rows.sort((a, b) => b.cost - a.cost);
    const first = new Map<string, Row>();
    for (const row of rows) if (!first.has(row.messageKey)) first.set(row.messageKey, row);
    const distinct = [...first.values()];
    const versions = versionsOf(rows);
    const times = timesOf(distinct, from, to);
    return {
      rows,
      copies: new Set(rows.filter((row) => first.get(row.messageKey) !== row)),
      cost: distinct.reduce((sum, row) => sum + row.cost, 0),
      messages: distinct.length,
      versions,
      times,
      trend: trendOf(times, versions, all),
    };
  });
  return clusters.sort((a, b) => b.cost - a.cost);
}

// Number of dumps for each value, most frequent first. Omits unknown values.
export function countsOf(rows: Row[], name: "version" | "model" | "api"): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const row of rows) if (row[name]) counts.set(row[name], (counts.get(row[name]) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}
