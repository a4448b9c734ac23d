// SPDX-License-Identifier: Apache-2.0
// Several dumps grouped by what is to blame: kind of verdict, frame and message.

import type { Dump } from "./data";

export interface Cluster {
  dumps: number[]; // the costliest first
  cost: number; // us; a message counts once, however many dumps of its process have it
  messages: number;
  first: string; // when it was seen, as the dumps say
  last: string;
}

const keyOf = ({ cluster }: Dump): string => [cluster.kind, cluster.frame, cluster.message].join("\n");

export function clustersOf(dumps: Dump[], kept: (dump: Dump) => boolean): Cluster[] {
  const groups = new Map<string, number[]>();
  for (const [index, dump] of dumps.entries()) {
    if (!kept(dump)) continue;
    const group = groups.get(keyOf(dump));
    if (group) group.push(index);
    else groups.set(keyOf(dump), [index]);
  }
  const clusters = [...groups.values()].map((indices): Cluster => {
    const costs = new Map<string, number>();
    for (const index of indices) {
      const key = dumps[index]!.messageKey || `dump ${index}`;
      costs.set(key, Math.max(costs.get(key) ?? 0, dumps[index]!.cost));
    }
    const times = indices.map((index) => dumps[index]!.taken).sort();
    return {
      dumps: indices.sort((a, b) => dumps[b]!.cost - dumps[a]!.cost),
      cost: [...costs.values()].reduce((sum, cost) => sum + cost, 0),
      messages: costs.size,
      first: times[0]!,
      last: times.at(-1)!,
    };
  });
  return clusters.sort((a, b) => b.cost - a.cost);
}

// Of the context: "version name", "model", "api level".
export function contextOf(dump: Dump, name: string): string {
  for (const [, rows] of dump.context) {
    const value = rows.find(([label]) => label === name)?.[1];
    if (value) return value.startsWith("not known") ? "unknown" : value;
  }
  return "unknown";
}

// How many dumps have which value, the most frequent first.
export function countsOf(dumps: Dump[], name: string): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const dump of dumps) {
    const value = contextOf(dump, name);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}
