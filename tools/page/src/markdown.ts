// SPDX-License-Identifier: Apache-2.0
// The verdict for a bug tracker, as Markdown: sentence, confidence, evidence, contributors and the stack to blame.

import { placeOf, type Dump, type Report, type Tree } from "./data";
import { duration, share } from "./format";
import { topDown, type Graph } from "./graph";
import { heaviestPath } from "./paths";

// Names are text there as well: no markup, no links, no table cells.
const text = (raw: string): string => raw.replace(/\s+/g, " ").replace(/[\\`*_[\]<>|#~&]/g, "\\$&");

// A fence longer than all that a name may hold.
function block(lines: string[]): string {
  const longest = Math.max(2, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map((ticks) => ticks.length)));
  const fence = "`".repeat(longest + 1);
  return [fence, ...lines, fence].join("\n");
}

// A stack as Java writes it, the innermost frame first.
export function stackLines(report: Report, graph: Graph, innermostFirst: number[]): string[] {
  return innermostFirst.map((node) => {
    const method = report.methods[graph.method[node]!]!;
    return method.truncated ? method.name : `    at ${method.name}(${placeOf(method, graph.longest[node]!)})`;
  });
}

function contributorsTable({ verdict }: Dump): string[] {
  if (verdict.contributors.length === 0) return [];
  const rows = verdict.contributors.map((each) => {
    const [method, place] = each.methods[0] ?? [];
    const most = method ? ` (most of it its own in ${method} ${place ?? ""})` : "";
    return `| ${share(each.time, verdict.window)} | ${duration(each.time)} | ${text(each.text + most)} |`;
  });
  return [`Where the ${duration(verdict.window)} went:`, "", "| share | time | who |", "|--:|--:|---|", ...rows, ""];
}

function blamedStack(report: Report, dump: Dump, trees: Tree[]): string[] {
  const tree = trees.find((each) => each.token === dump.verdict.token);
  if (!tree) return [];
  const graph = topDown(report, [tree], { lines: false, recursion: false, libraries: false });
  const path = heaviestPath(graph);
  const innermost = path.at(-1);
  if (innermost === undefined) return [];
  const title = `The stack that took most of message ${tree.token}: ${duration(graph.total[innermost]!)} of ${duration(graph.total[0]!)}`;
  return [title, "", block(stackLines(report, graph, path.reverse())), ""];
}

export function markdownOf(report: Report, index: number): string {
  const dump = report.dumps[index]!;
  const { verdict } = dump;
  const trees = report.trees.filter((tree) => tree.dump === index);
  return [
    `**${text(verdict.headline)}**`,
    "",
    text(verdict.sentence),
    "",
    `Next step: ${text(verdict.next)}`,
    "",
    `Confidence ${text(verdict.certainty)}`,
    "",
    ...verdict.evidence.map((line) => `- ${text(line)}`),
    "",
    ...contributorsTable(dump),
    ...blamedStack(report, dump, trees),
    `${text(dump.process)}, ${text(dump.taken)}, trigger: ${text(dump.trigger)}; Stillframe ${text(report.version)}`,
    "",
  ].join("\n");
}
