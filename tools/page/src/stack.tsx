// SPDX-License-Identifier: Apache-2.0
// The stack with most of the time, as text for Android developers: innermost frame first.

import { placeOf, type Dump, type Report, type Tree } from "./data";
import { counted, seconds, shortName } from "./format";
import { frameworkFrames, topDown } from "./graph";
import { heaviestPath } from "./paths";
import { Fold, Section } from "./section";
import { SourcePlace } from "./source";

interface StackLine {
  text: string; // as Java writes it
  method: string;
  name: string;
  place: string;
}

export interface Stack {
  title: string;
  note: string; // "4.0 s of 4.1 s"
  lines: StackLine[]; // innermost first
  framework: string[]; // the outermost frames, which dispatch the message
}

function stackOfTree(report: Report, dump: Dump, tree: Tree): Stack {
  const graph = topDown(report, [tree], { lines: false, recursion: true, libraries: false, framework: true });
  const path = heaviestPath(report, graph).reverse();
  const lineOf = (method: number, line: number): StackLine => {
    const { name, truncated } = report.methods[method]!;
    const place = placeOf(report.methods[method]!, line);
    if (truncated) return { text: name, method: name, name, place };
    return { text: `    at ${name}(${place})`, method: name, name: shortName(name), place };
  };
  const outer = tree.frame.slice(0, frameworkFrames(report, tree)).reverse();
  const message = dump.messages.find((each) => each.token === tree.token);
  const innermost = path[0] ?? 0;
  const tokens = dump.verdict.tokens.map(String);
  const isToBlame = tokens.length === 0 || tokens.includes(tree.token);
  return {
    title: `${message && message.looper > 0 ? (dump.loopers[message.looper]?.thread ?? "Thread") : "Main thread"}, heaviest stack${isToBlame ? "" : ", not to blame"}`,
    note: `${seconds(graph.total[innermost]!)} of ${seconds(graph.total[0]!)}`,
    lines: path.map((node) => lineOf(graph.method[node]!, graph.hottest[node]!)),
    framework: outer.map((frame) => lineOf(report.frameMethod[frame]!, report.frameLine[frame]!).text),
  };
}

// From the first shown tree; without trees, the stack at the dump. Null without both.
export function heaviestStack(report: Report, dump: Dump, trees: Tree[], shown: string[]): Stack | null {
  const tree = trees.find((each) => each.token === shown[0]);
  if (tree && tree.frame.length > 0) return stackOfTree(report, dump, tree);
  const main = dump.loopers[0]?.tid;
  const group = dump.page.stacks?.groups.find(({ threads }) => threads.some((thread) => thread.tid === main));
  const stack = dump.verdict.chain.threads[0]?.stack ?? group?.stack ?? [];
  if (stack.length === 0) return null;
  const lines = stack.map((frame): StackLine => {
    const [, name, place] = /^(.*?) ?\((.*)\)$/.exec(frame) ?? ["", frame, ""];
    return { text: `    at ${frame}`, method: name, name: shortName(name), place };
  });
  return { title: "Main thread's stack at the dump", note: "", lines, framework: [] };
}

export const stackText = (stack: Stack): string =>
  [...stack.lines.map((line) => line.text), ...stack.framework].join("\n");

const MOST_LINES = 9;

function Lines({ lines, find }: { lines: StackLine[]; find: ((method: string) => void) | null }) {
  return (
    <table class="stack">
      <tbody>
        {lines.map(({ text, method, name, place }) => (
          <tr title={text.trim()}>
            <td>
              {find ? (
                <button type="button" class="plain" onClick={() => find(method)}>
                  <code>{name}</code>
                </button>
              ) : (
                <code>{name}</code>
              )}
            </td>
            <td>
              <code class="quiet">
                <SourcePlace method={method} place={place} />
              </code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

// A click on a method finds it in the flame graph.
export function StackCard({ stack, find }: { stack: Stack | null; find: ((method: string) => void) | null }) {
  if (!stack) return null;
  const more = stack.lines.slice(MOST_LINES);
  return (
    <Section id="stack" title={stack.title} note={stack.note}>
      <Lines lines={stack.lines.slice(0, MOST_LINES)} find={find} />
      {more.length > 0 && (
        <Fold id="frames" summary={counted(more.length, "more frame")} onPaper>
          <Lines lines={more} find={find} />
        </Fold>
      )}
      {stack.framework.length > 0 && (
        <Fold id="framework-frames" summary={counted(stack.framework.length, "framework frame")}>
          <pre>{stack.framework.join("\n")}</pre>
        </Fold>
      )}
    </Section>
  );
}
