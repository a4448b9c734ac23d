// The report page: reads what the host tool embedded and shows it.

import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Context } from "./context";
import { readReport, type Report } from "./data";
import { Dumps } from "./dumps";
import { Messages } from "./messages";
import { PendingQueue } from "./pending";
import { Trees } from "./trees";
import { Verdict } from "./verdict";

function App({ report }: { report: Report }) {
  const costliest = report.dumps.reduce((best, dump, i) => (dump.cost > report.dumps[best]!.cost ? i : best), 0);
  const [index, setIndex] = useState(costliest);
  const dump = report.dumps[index]!;
  const trees = useMemo(() => report.trees.filter((tree) => tree.dump === index), [report, index]);
  const withTree = useMemo(() => new Set(trees.map((tree) => tree.token)), [trees]);
  const first = dump.verdict.token ?? dump.messages.at(-1)?.token ?? "";
  const [chosen, setChosen] = useState(first);
  const [tokens, setTokens] = useState(new Set<string>());
  useEffect(() => {
    const asked = /^#([mt])(\d+)$/.exec(location.hash)?.[2];
    setChosen(asked ?? first);
    setTokens(new Set([asked, first, trees[0]?.token].filter((token) => token !== undefined && withTree.has(token)).slice(0, 1) as string[]));
    document.title = `Stillframe: ${dump.process}`;
  }, [index]);
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
        {report.dumps.length > 1 && <Dumps dumps={report.dumps} chosen={index} choose={setIndex} />}
        <Messages key={index} dump={dump} trees={withTree} chosen={chosen} choose={setChosen} open={open} />
        <Trees key={`trees ${index}`} report={report} dump={dump} trees={trees} tokens={tokens} toggle={toggle} only={(token) => setTokens(new Set([token]))} />
        <PendingQueue key={`pending ${index}`} dump={dump} />
        <Context dump={dump} />
      </main>
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
