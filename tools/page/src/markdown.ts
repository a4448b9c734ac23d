// SPDX-License-Identifier: Apache-2.0
// The verdict as Markdown for a bug tracker: sentence, confidence, evidence, contributors and the stack to blame.

import { placeOf, type Dump, type Report } from "./data";
import { duration, seconds, share } from "./format";
import type { Graph } from "./graph";
import { stackText, type Stack } from "./stack";

// Escapes names, which must not become markup, links or table cells.
const text = (raw: string): string => raw.replace(/\s+/g, " ").replace(/[\\`*_[\]<>|#~&]/g, "\\$&");

// Uses a fence longer than any in the lines.
function block(lines: string[]): string {
  const longest = Math.max(2, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map((ticks) => ticks.length)));
  const fence = "`".repeat(longest + 1);
  return [fence, ...lines, fence].join("\n");
}

// A stack as Java writes it, innermost frame first.
export function stackLines(report: Report, graph: Graph, innermostFirst: number[]): string[] {
  return innermostFirst.map((node) => {
    const method = report.methods[graph.method[node]!]!;
    return method.truncated ? method.name : `    at ${method.name}(${placeOf(method, graph.hottest[node]!)})`;
  });
}

const MOST_FACTS = 3;
const MOST_ROWS = 5;

// For a bug tracker.
export function markdownOf(dump: Dump, stack: Stack | null, version: string): string {
  const { verdict } = dump;
  const rows = verdict.contributors
    .slice(0, MOST_ROWS)
    .map((each) => `| ${share(each.ns, verdict.window_ns)} | ${duration(each.ns / 1000)} | ${text(each.text)} |`);
  return [
    `**${text(verdict.headline)}**`,
    "",
    text(verdict.sentence),
    "",
    `Next step: ${text(verdict.next_step)}`,
    "",
    ...verdict.evidence.slice(0, MOST_FACTS).map((line) => `- ${text(line)}`),
    "",
    ...(rows.length > 0
      ? [`| share | time | where the ${seconds(verdict.window_ns / 1000)} went |`, "|--:|--:|---|", ...rows, ""]
      : []),
    ...(stack ? [`${text(stack.title)} ${stack.note}`, "", block(stackText(stack).split("\n")), ""] : []),
    `${dump.page.origin.map(text).join(", ")}; confidence ${text(dump.page.certainty)}; Stillframe ${text(version)}`,
    "",
  ].join("\n");
}
