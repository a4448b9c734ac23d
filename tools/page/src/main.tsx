// SPDX-License-Identifier: Apache-2.0
// The report page: reads what the host tool embedded and shows it.

import { render, type ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Context } from "./context";
import { readReport, type Message, type Report } from "./data";
import { Dumps } from "./dumps";
import { Messages } from "./messages";
import { PendingQueue } from "./pending";
import { Trees } from "./trees";
import { Verdict } from "./verdict";

const longestOf = (messages: Message[]): Message | undefined =>
  messages.reduce<Message | undefined>(
    (longest, each) => ((each.wall ?? 0) > (longest?.wall ?? -1) ? each : longest),
    undefined,
  );

// What one dump shows. `children` stands between the verdict and the rest.
function DumpView({ report, index, children }: { report: Report; index: number; children: ComponentChildren }) {
  const dump = report.dumps[index]!;
  const trees = useMemo(() => report.trees.filter((tree) => tree.dump === index), [report, index]);
  const withTree = useMemo(() => new Set(trees.map((tree) => tree.token)), [trees]);
  const asked = /^#[mt](\d+)$/.exec(location.hash)?.[1];
  const first =
    asked ??
    dump.verdict.token ??
    longestOf(dump.messages)?.token ??
    (dump.spans.length > 0 ? `s${dump.spans.length - 1}` : "");
  const [chosen, setChosen] = useState(first);
  const [tokens, setTokens] = useState(() => {
    const shown = withTree.has(first) ? first : trees[0]?.token;
    return new Set(shown === undefined ? [] : [shown]);
  });
  const open = (token: string): void => {
    setTokens(new Set([token]));
    setChosen(token);
    const section = document.getElementById("trees");
    section?.scrollIntoView();
    section?.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus({ preventScroll: true });
  };
  const toggle = (token: string): void => {
    const next = new Set(tokens);
    if (!next.delete(token)) next.add(token);
    setTokens(next);
  };
  return (
    <>
      <Verdict dump={dump} trees={withTree} choose={setChosen} open={open} />
      <main>
        {children}
        <Messages dump={dump} trees={withTree} chosen={chosen} choose={setChosen} open={open} />
        <Trees
          report={report}
          dump={dump}
          trees={trees}
          tokens={tokens}
          toggle={toggle}
          only={(token) => setTokens(new Set([token]))}
        />
        <PendingQueue dump={dump} />
        <Context dump={dump} />
      </main>
    </>
  );
}

function App({ report }: { report: Report }) {
  const costliest = report.dumps.reduce((best, dump, i) => (dump.cost > report.dumps[best]!.cost ? i : best), 0);
  const [index, setIndex] = useState(costliest);
  useEffect(() => void (document.title = `Stillframe: ${report.dumps[index]!.process}`), [index]);
  return (
    <>
      <DumpView key={index} report={report} index={index}>
        {report.dumps.length > 1 && <Dumps dumps={report.dumps} chosen={index} choose={setIndex} />}
      </DumpView>
      <footer class="quiet">Stillframe {report.version}</footer>
    </>
  );
}

function printOpensAll(): void {
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details")) part.open = true;
  });
}

async function start(): Promise<void> {
  const page = document.getElementById("page")!;
  try {
    const report = await readReport(document.getElementById("data")!.textContent!);
    page.textContent = "";
    render(<App report={report} />, page);
    printOpensAll();
  } catch (error) {
    page.textContent = `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
  }
}

void start();
