// SPDX-License-Identifier: Apache-2.0
// The report page: reads what the host tool embedded and shows it.

import { render, type ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Context, Health } from "./context";
import { Contributors } from "./contributors";
import { readReport, type Report } from "./data";
import { Dumps } from "./dumps";
import { KeptContext } from "./kept";
import { Messages } from "./messages";
import { PendingQueue } from "./pending";
import { hashOf, placeOfDump, placeOfHash, sectionOf, type Go, type Place } from "./place";
import { Share } from "./share";
import { StackCard, heaviestStack } from "./stack";
import { Threads } from "./threads";
import { Trees } from "./trees";
import { Evidence, Verdict } from "./verdict";

const WRITE_HASH_MS = 120; // after the last change: browsers refuse to change an address all the time

// What one dump shows: the answer, what it is made of, the data. `children` stands above.
function DumpView({
  report,
  place,
  go,
  children,
}: {
  report: Report;
  place: Place;
  go: Go;
  children: ComponentChildren;
}) {
  const dump = report.dumps[place.dump]!;
  const trees = useMemo(() => report.trees.filter((tree) => tree.dump === place.dump), [report, place.dump]);
  const withTree = useMemo(() => new Set(trees.map((tree) => tree.token)), [trees]);
  const choose = (message: string): void =>
    go({ message, ...(withTree.has(message) && { trees: [message], frame: "" }) });
  const open = (token: string): void => {
    choose(token);
    const section = document.getElementById("trees");
    section?.scrollIntoView();
    section?.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus({ preventScroll: true });
  };
  const stack = useMemo(
    () => heaviestStack(report, dump, trees, place.trees),
    [report, dump, trees, place.trees.join()],
  );
  return (
    <KeptContext.Provider
      value={{ values: place.kept, keep: (name, value) => go({ kept: { ...place.kept, [name]: value } }) }}
    >
      <a class="skip" href="#trees">
        Skip to the flame graph
      </a>
      {children}
      <Verdict dump={dump} choose={choose}>
        <Share report={report} place={place} stack={stack} />
      </Verdict>
      <main>
        <Messages dump={dump} trees={trees} chosen={place.message} choose={choose} open={open}>
          <div class="pair">
            <StackCard stack={stack} />
            <Contributors dump={dump} choose={choose} />
          </div>
          <Evidence dump={dump} trees={withTree} choose={choose} open={open} />
          <Trees report={report} dump={dump} trees={trees} place={place} go={go} />
        </Messages>
        <PendingQueue dump={dump} />
        <Threads dump={dump} />
        <Context dump={dump} />
        <Health dump={dump} />
      </main>
    </KeptContext.Provider>
  );
}

// Where the reader is, kept in the address.
function usePlace(report: Report): [Place, Go] {
  const [place, setPlace] = useState(() => placeOfHash(report, location.hash) ?? placeOfDump(report));
  const written = useRef(place);
  useEffect(() => {
    const section = placeOfHash(report, location.hash) ? sectionOf(report, place) : "";
    const isReload = performance
      .getEntriesByType("navigation")
      .some((each) => "type" in each && each.type === "reload");
    if (section && !isReload) document.getElementById(section)?.scrollIntoView();
    const follow = (): void => {
      const asked = placeOfHash(report, location.hash);
      const target = document.querySelector("details:target");
      if (target instanceof HTMLDetailsElement) target.open = true;
      // A link to a message leaves the rest as it is.
      if (asked) setPlace((now) => (/^#m\d/.test(location.hash) ? { ...now, message: asked.message } : asked));
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [report]);
  useEffect(() => {
    if (written.current === place) return;
    const write = (): void => {
      written.current = place;
      history.replaceState(null, "", hashOf(report, place) || "#");
    };
    const timer = setTimeout(write, WRITE_HASH_MS);
    addEventListener("pagehide", write);
    return () => {
      clearTimeout(timer);
      removeEventListener("pagehide", write);
    };
  }, [report, place]);
  return [place, (change) => setPlace((now) => ({ ...now, ...change }))];
}

function App({ report }: { report: Report }) {
  const [place, go] = usePlace(report);
  useEffect(() => void (document.title = `${report.dumps[place.dump]!.title} \u2013 Stillframe`), [place.dump]);
  return (
    <>
      <DumpView key={place.dump} report={report} place={place} go={go}>
        {report.dumps.length > 1 && (
          <Dumps dumps={report.dumps} chosen={place.dump} choose={(dump) => go(placeOfDump(report, dump))} />
        )}
      </DumpView>
      <footer class="quiet">Stillframe {report.version}</footer>
    </>
  );
}

// But what is closed on paper as well: figures of the profiler, explanations.
function printOpensAll(): void {
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll<HTMLDetailsElement>("details:not(.closed)")) part.open = true;
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
