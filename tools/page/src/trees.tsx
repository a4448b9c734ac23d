// SPDX-License-Identifier: Apache-2.0
// Where the time went: the trees of one or several messages in four views.

import { useMemo, useRef, useState } from "preact/hooks";
import { Butterfly } from "./butterfly";
import type { Dump, Report, Tree } from "./data";
import { count, counted, duration, share } from "./format";
import { FlameView, type Stepper } from "./flameview";
import { bottomUp, flameChart, topDown, type Shape } from "./graph";
import { stateRuns } from "./states";
import { Pick } from "./pick";
import { SWITCHES, VIEWS, type Go, type Place, type Switch, type View } from "./place";
import { searchFor } from "./search";
import { Section } from "./section";

const MOST_ROWS = 150; // of a stack whose recursion is not folded initially

function Tabs({ view, show }: { view: View; show: (view: View) => void }) {
  const views = Object.keys(VIEWS) as View[];
  const move = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = views[(views.indexOf(view) + step + views.length) % views.length]!;
    show(next);
    document.getElementById(`view-${next}`)?.focus();
  };
  return (
    <div role="tablist" aria-label="View" onKeyDown={move}>
      {views.map((each) => (
        <button
          type="button"
          role="tab"
          id={`view-${each}`}
          aria-selected={view === each}
          aria-controls="view"
          tabIndex={view === each ? 0 : -1}
          onClick={() => show(each)}
        >
          {VIEWS[each]}
        </button>
      ))}
    </div>
  );
}

// The omitted parts of the trees, and the reason.
function Left({ trees }: { trees: Tree[] }) {
  const left = trees.reduce((sum, tree) => sum + tree.left, 0);
  const truncated = trees.reduce((sum, tree) => sum + tree.cuts, 0);
  return (
    <>
      {left > 0 && (
        <p class="quiet">
          {counted(left, "call")} of the fewest samples {left === 1 ? "is" : "are"} left out of this page;{" "}
          {left === 1 ? "its" : "their"} time counts for the callers.
        </p>
      )}
      {truncated > 0 && <p class="quiet">{count(truncated)} stacks were too deep and lost their innermost frames.</p>}
    </>
  );
}

export function Trees({
  report,
  dump,
  trees,
  place,
  go,
}: {
  report: Report;
  dump: Dump;
  trees: Tree[];
  place: Place;
  go: Go;
}) {
  const { view } = place;
  const [found, setFound] = useState("");
  const stepper = useRef<Stepper>(null);
  const tokens = place.trees.join();
  const toggled = place.switches.join();
  const chosen = useMemo(() => {
    const starts = new Map(dump.messages.map((message) => [message.token, message.start ?? 0]));
    const startOf = (tree: Tree): number => starts.get(tree.token) ?? 0;
    return trees.filter((tree) => place.trees.includes(tree.token)).sort((a, b) => startOf(a) - startOf(b));
  }, [dump, trees, tokens]);
  const search = useMemo(() => searchFor(place.search), [place.search]);
  const deepest = useMemo(
    () => chosen.reduce((most, tree) => tree.depth.reduce((a, b) => Math.max(a, b), most), 0),
    [chosen],
  );
  const shape = useMemo<Shape>(() => {
    const isOn = (each: Switch, atFirst = false): boolean => place.switches.includes(each) !== atFirst;
    return {
      lines: isOn("lines"),
      recursion: isOn("recursion", deepest > MOST_ROWS),
      libraries: isOn("libraries"),
      framework: isOn("framework", true),
    };
  }, [toggled, deepest]);
  const unfolded = useMemo(() => ({ ...shape, framework: false }), [shape]);
  const graph = useMemo(() => {
    if (view === "chart") return flameChart(report, chosen, shape);
    const down = topDown(report, chosen, shape);
    return view === "up" ? bottomUp(down) : down;
  }, [report, chosen, view, shape]);
  const track = useMemo(() => (view === "chart" ? stateRuns(chosen) : null), [chosen, view]);
  if (trees.length === 0) return null;
  const name = chosen.length === 1 ? `message ${chosen[0]!.token}` : counted(chosen.length, "message");
  // A new graph is shown whole.
  const reset = (change: Partial<Place>): void => go({ ...change, frame: "", kept: { ...place.kept, zoom: "" } });
  const toggle = (which: Switch): void => {
    const has = place.switches.includes(which);
    const next = has ? place.switches.filter((each) => each !== which) : [...place.switches, which];
    reset({ switches: next });
  };
  const onSearchKey = (event: KeyboardEvent): void => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    stepper.current?.step(event.shiftKey ? -1 : 1);
  };
  const isFlame = view !== "methods";
  // Widths are wall time, including time that the kernel counted without a CPU.
  const shown = new Set(chosen.map((tree) => tree.token));
  const blamed = dump.messages.filter((message) => shown.has(message.token));
  const queued = blamed.reduce((sum, message) => sum + (message.queue ?? 0), 0);
  const ran = blamed.reduce((sum, message) => sum + (message.wall ?? 0), 0);
  return (
    <Section id="trees" title="Flame graph">
      <Pick dump={dump} trees={trees} tokens={place.trees} choose={(next) => reset({ trees: next })} />
      {queued * 20 >= ran && queued > 0 && (
        <p class="quiet" id="without-cpu">
          Widths are wall time and include {duration(queued)} of waiting for a CPU ({share(queued, ran)}).
        </p>
      )}
      <div class="tools">
        <Tabs view={view} show={(next) => reset({ view: next })} />
        {(Object.keys(SWITCHES) as Switch[]).map((each) => (
          <label>
            <input
              type="checkbox"
              id={each}
              checked={shape[each]}
              disabled={each === "lines" && !isFlame}
              onChange={() => toggle(each)}
            />{" "}
            {SWITCHES[each]}
          </label>
        ))}
      </div>
      <div class="tools">
        <label>
          Search{" "}
          <input
            type="search"
            id="search"
            value={place.search}
            placeholder="method, file or /regex/"
            aria-invalid={search?.error ? "true" : "false"}
            aria-describedby="found"
            onInput={(event) => go({ search: event.currentTarget.value })}
            onKeyDown={onSearchKey}
          />
        </label>
        <output id="found">
          {search?.error && <b>{search.error}: </b>}
          {found}
        </output>
        {search && isFlame && (
          <span class="steps">
            <button type="button" aria-label="Previous found" onClick={() => stepper.current?.step(-1)}>
              {"\u2191"}
            </button>
            <button type="button" aria-label="Next found" onClick={() => stepper.current?.step(1)}>
              {"\u2193"}
            </button>
          </span>
        )}
      </div>
      <div role="tabpanel" id="view" aria-labelledby={`view-${view}`}>
        {chosen.length === 0 && <p>Tick a message.</p>}
        {chosen.length > 0 && !isFlame && (
          <Butterfly
            report={report}
            trees={chosen}
            shape={unfolded}
            search={search}
            found={setFound}
            frame={place.frame}
            choose={(frame) => go({ frame })}
          />
        )}
        {chosen.length > 0 && isFlame && (
          <FlameView
            report={report}
            trees={chosen}
            graph={graph}
            track={track}
            reversed={view === "up"}
            name={name}
            search={search}
            frame={place.frame}
            zoomed={(frame) => go({ frame })}
            found={setFound}
            stepper={stepper}
          />
        )}
        {isFlame && shape.recursion && deepest > graph.rows.length && (
          <p class="quiet" id="folded">
            {counted(deepest + 1 - graph.rows.length, "row")} of folded frames.
          </p>
        )}
        <Left trees={chosen} />
      </div>
    </Section>
  );
}
