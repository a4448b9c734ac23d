// SPDX-License-Identifier: Apache-2.0
// The report page: reads the data that the host tool embedded, and shows it.

import { render } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Context, Health } from "./context";
import { Contributors } from "./contributors";
import { readReport, type Report } from "./data";
import { Dumps } from "./dumps";
import { KeptContext } from "./kept";
import { Keys } from "./keys";
import { Messages } from "./messages";
import { PendingQueue } from "./pending";
import { count } from "./format";
import { firstPlace, hashOf, keptOfOverview, OVERVIEW, placeOfHash, sectionOf, type Go, type Place } from "./place";
import { Share } from "./share";
import { SourceContext } from "./source";
import { StackCard, heaviestStack } from "./stack";
import { Threads } from "./threads";
import { Trees } from "./trees";
import { Evidence, Verdict } from "./verdict";

const WRITE_HASH_MS = 120; // after the last change, because browsers limit how often an address may change

// The view of one dump: verdict, evidence, data.
function DumpView({ report, place, go }: { report: Report; place: Place; go: Go }) {
  const dump = report.dumps[place.dump]!;
  const trees = useMemo(() => report.trees.filter((tree) => tree.dump === place.dump), [report, place.dump]);
  const withTree = useMemo(() => new Set(trees.map((tree) => tree.token)), [trees]);
  const choose = (message: string): void =>
    go({ message, ...(withTree.has(message) && { trees: [message], frame: "", kept: { ...place.kept, zoom: "" } }) });
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
    <>
      <Verdict dump={dump} choose={choose}>
        <Share report={report} place={place} stack={stack} />
      </Verdict>
      <main>
        <Messages dump={dump} trees={trees} chosen={place.message} choose={choose} open={open}>
          <div class="pair">
            <StackCard
              stack={stack}
              find={
                place.trees.length > 0
                  ? (method) => {
                      go({ search: method, ...(place.view === "methods" && { view: "down" }) });
                      document.getElementById("trees")?.scrollIntoView();
                    }
                  : null
              }
            />
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
    </>
  );
}

// The reader's place, kept in the address.
function usePlace(report: Report): [Place, Go, (name: string, value: string) => void] {
  const [place, setPlace] = useState(() => placeOfHash(report, location.hash) ?? firstPlace(report));
  const written = useRef(place);
  const known = useRef(location.hash); // as it was written or followed last
  useEffect(() => {
    const section = placeOfHash(report, location.hash) ? sectionOf(report, place) : "";
    const isReload = performance
      .getEntriesByType("navigation")
      .some((each) => "type" in each && each.type === "reload");
    if (section && !isReload) document.getElementById(section)?.scrollIntoView();
  }, [report]);
  // Not useEffect(), which waits for a frame: what a slow device does until then would be lost, or written too late.
  useLayoutEffect(() => {
    const follow = (): void => {
      known.current = location.hash;
      const target = document.querySelector("details:target");
      if (target instanceof HTMLDetailsElement) target.open = true;
      setPlace((now) => {
        const asked = placeOfHash(report, location.hash, now.dump);
        // A link to a message changes nothing else.
        if (!asked || !/^#m\d/.test(location.hash)) return asked ?? { ...now };
        const { message, trees } = asked;
        return { ...now, message, ...(trees[0] === message && { trees, frame: "", kept: { ...now.kept, zoom: "" } }) };
      });
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [report]);
  useLayoutEffect(() => {
    if (written.current === place) return;
    const write = (): void => {
      // A new address that is not followed yet is not of this place.
      if (written.current === place || location.hash !== known.current) return;
      written.current = place;
      history.replaceState(null, "", hashOf(report, place) || "#");
      known.current = location.hash;
    };
    // The place that a link leaves stays in the history as it was left.
    const leave = ({ target }: Event): void => {
      if (target instanceof Element && target.closest("a")) write();
    };
    const timer = setTimeout(write, WRITE_HASH_MS);
    addEventListener("pagehide", write);
    addEventListener("click", leave, true);
    return () => {
      clearTimeout(timer);
      removeEventListener("pagehide", write);
      removeEventListener("click", leave, true);
    };
  }, [report, place]);
  return [
    place,
    (change) => setPlace((now) => ({ ...now, ...change })),
    (name, value) => setPlace((now) => ({ ...now, kept: { ...now.kept, [name]: value } })),
  ];
}

function App({ report }: { report: Report }) {
  const [place, go, keep] = usePlace(report);
  const isOverview = place.dump === OVERVIEW;
  const was = useRef({ isOverview, at: 0 });
  if (was.current.isOverview && !isOverview) was.current.at = scrollY;
  useLayoutEffect(() => {
    if (was.current.isOverview !== isOverview) scrollTo(0, isOverview ? was.current.at : 0);
    was.current.isOverview = isOverview;
  }, [isOverview]);
  const hasTrees = report.trees.some((tree) => tree.dump === place.dump);
  const name = isOverview ? `${count(report.list.length)} dumps` : report.dumps[place.dump]!.page.title;
  useEffect(() => void (document.title = `${name} \u2013 Stillframe`), [name]);
  return (
    <SourceContext.Provider value={report.sourceUrl}>
      <KeptContext.Provider value={{ values: place.kept, keep }}>
        {!isOverview && (
          <a class="skip" href={!hasTrees ? "#messages" : place.view === "methods" ? "#view" : "#flame"}>
            Skip to the {hasTrees ? "flame graph" : "messages"}
          </a>
        )}
        {!isOverview && report.list.length > 1 && (
          <nav>
            <a
              href={
                hashOf(report, { ...firstPlace(report), find: place.find, kept: keptOfOverview(place.kept) }) || "#"
              }
            >
              All {count(report.list.length)} dumps
            </a>
          </nav>
        )}
        {!isOverview && <DumpView key={place.dump} report={report} place={place} go={go} />}
        {report.list.length > 1 && (
          <main hidden={!isOverview}>
            <Dumps report={report} find={place.find} search={(find) => go({ find })} />
          </main>
        )}
        <footer class="quiet">
          Stillframe {report.version} · <Keys />
        </footer>
      </KeptContext.Provider>
    </SourceContext.Provider>
  );
}

// Except parts that stay closed on paper: the profiler's figures, explanations.
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
