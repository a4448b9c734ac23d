// SPDX-License-Identifier: Apache-2.0
// Where the time went: the trees of one or several messages in four views.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Butterfly } from "./butterfly";
import { useDrawing } from "./canvas";
import { placeOf, type Dump, type Report, type Tree } from "./data";
import { Flame, flameHeight } from "./flame";
import { count, counted, duration, share } from "./format";
import { bottomUp, flameChart, stackOf, topDown, type Graph } from "./graph";
import { KIND_TEXT, STATES, type Kind } from "./palette";
import { Section } from "./section";

export const VIEWS = { chart: "In time order", down: "Merged, top-down", up: "Bottom-up", methods: "Methods" } as const;
export type View = keyof typeof VIEWS;

const KEYS =
  "Arrows move, Enter zooms to the box, Esc shows all, + \u2212 zoom, Shift+\u2190 \u2192 pan, c copies the stack, / searches. Mouse: click zooms, Ctrl+wheel zooms, drag moves.";
const TALLEST = 620;

export function matcher(report: Report, text: string): ((method: number) => boolean) | null {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const found = report.methods.map((method) => {
    const name = `${method.name} ${method.file}`.toLowerCase();
    return words.every((word) => name.includes(word));
  });
  return (method) => found[method] ?? false;
}

function stackText(report: Report, graph: Graph, node: number, reversed: boolean): string {
  const stack = stackOf(graph, node);
  // As Java writes stacks: the innermost first.
  return (reversed ? stack : stack.reverse())
    .map((at) => {
      const method = report.methods[graph.method[at]!]!;
      const place = placeOf(method, graph.longest[at]!);
      return method.truncated ? method.name : `    at ${method.name}(${place})`;
    })
    .join("\n");
}

async function copy(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    // Files have no clipboard in some browsers: the old way needs a selection.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done ? "copied" : "the browser did not let it be copied";
  }
}

function Detail({ report, graph, node, whole }: { report: Report; graph: Graph; node: number; whole: string }) {
  const method = report.methods[graph.method[node]!];
  const place = method ? placeOf(method, graph.line[node]!) : "";
  return (
    <p class="detail" role="status">
      <code>{method ? method.name : whole}</code>
      {place && <code class="quiet"> ({place})</code>} <b>{duration(graph.total[node]!)}</b> (
      {share(graph.total[node]!, graph.total[0]!)}), itself {duration(Math.max(graph.self[node]!, 0))},{" "}
      {counted(graph.samples[node]!, "sample")}, mostly {STATES[graph.state[node]!]}
    </p>
  );
}

function FlameView({
  report,
  graph,
  reversed,
  name,
  search,
  found,
  focusSearch,
}: {
  report: Report;
  graph: Graph;
  reversed: boolean;
  name: string;
  search: ((method: number) => boolean) | null;
  found: (text: string) => void;
  focusSearch: () => void;
}) {
  const [selected, setSelected] = useState(0);
  const [hovered, setHovered] = useState(-1);
  const [copied, setCopied] = useState("");
  const scroller = useRef<HTMLDivElement>(null);
  const copySelected = (): void => {
    const flame = drawing.current;
    if (flame) void copy(stackText(report, graph, flame.selected, reversed)).then(setCopied);
  };
  const { canvas, drawing } = useDrawing(
    (element) => {
      setSelected(0);
      setHovered(-1);
      return new Flame(element, report, graph, name, {
        selected: (node) => {
          setSelected(node);
          setCopied("");
        },
        hovered: setHovered,
        copy: copySelected,
        find: focusSearch,
      });
    },
    [graph],
  );
  useEffect(() => {
    const flame = drawing.current;
    if (!flame) return;
    flame.search(search);
    found(search ? `${duration(flame.foundTime())}, ${share(flame.foundTime(), graph.total[0]!)}` : "");
  }, [search, graph]);
  const whole = flameHeight(graph);
  const shown = hovered >= 0 && hovered < graph.parent.length ? hovered : Math.min(selected, graph.parent.length - 1);
  return (
    <>
      <div class="flame" ref={scroller} style={{ height: `${Math.min(whole, TALLEST)}px` }}>
        <div style={{ height: `${whole}px` }}>
          <canvas
            ref={canvas}
            tabIndex={0}
            role="application"
            style={{ height: `${Math.min(whole, TALLEST)}px` }}
            aria-label={`Flame graph, ${counted(graph.parent.length - 1, "box", "boxes")}. ${KEYS}`}
          />
        </div>
      </div>
      <Detail report={report} graph={graph} node={shown} whole={name} />
      <p class="tools">
        <button type="button" onClick={copySelected} disabled={selected === 0}>
          Copy stack
        </button>
        <button type="button" onClick={() => drawing.current?.zoomTo(0)}>
          Show all
        </button>
        <span role="status" id="copied">
          {copied}
        </span>
        <span class="quiet keys">{KEYS}</span>
      </p>
    </>
  );
}

const LEGEND: Kind[] = ["app", "platform", "native", "waiting", "sleeping", "blocked", "ready", "other", "truncated"];

function Pick({
  dump,
  trees,
  tokens,
  toggle,
  only,
}: {
  dump: Dump;
  trees: Tree[];
  tokens: Set<string>;
  toggle: (token: string) => void;
  only: (token: string) => void;
}) {
  const largest = Math.max(1, ...trees.map((tree) => tree.weight.reduce((sum, weight) => sum + weight, 0)));
  return (
    <fieldset class="pick">
      <legend>Messages (tick several to merge them)</legend>
      {trees.map((tree) => {
        const message = dump.messages.find((each) => each.token === tree.token);
        const time = tree.weight.reduce((sum, weight) => sum + weight, 0);
        return (
          <div class={tokens.has(tree.token) ? "chosen" : ""} id={`t${tree.token}`}>
            <input
              type="checkbox"
              aria-label={`Merge message ${tree.token}`}
              checked={tokens.has(tree.token)}
              onChange={() => toggle(tree.token)}
            />
            <button type="button" class="plain" onClick={() => only(tree.token)}>
              <b>{duration(time)}</b> {message?.text ?? `message ${tree.token}`}{" "}
              <span class="quiet">
                token {tree.token}, {counted(tree.taken, "sample")}
                {message?.running ? ", running" : ""}
              </span>
            </button>
            <div class="bar" style={{ width: `${(100 * time) / largest}%` }} aria-hidden="true" />
          </div>
        );
      })}
    </fieldset>
  );
}

export function Trees({
  report,
  dump,
  trees,
  tokens,
  toggle,
  only,
}: {
  report: Report;
  dump: Dump;
  trees: Tree[];
  tokens: Set<string>;
  toggle: (token: string) => void;
  only: (token: string) => void;
}) {
  const [view, setView] = useState<View>("down");
  const [lines, setLines] = useState(false);
  const [text, setText] = useState("");
  const [found, setFound] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const chosen = useMemo(() => {
    const starts = new Map(dump.messages.map((message) => [message.token, message.start ?? 0]));
    const startOf = (tree: Tree): number => starts.get(tree.token) ?? 0;
    return trees.filter((tree) => tokens.has(tree.token)).sort((a, b) => startOf(a) - startOf(b));
  }, [dump, trees, tokens]);
  const search = useMemo(() => matcher(report, text), [report, text]);
  const graph = useMemo(() => {
    if (view === "chart") return flameChart(report, chosen, lines);
    return view === "up" ? bottomUp(topDown(report, chosen, lines)) : topDown(report, chosen, lines);
  }, [report, chosen, view, lines]);
  if (trees.length === 0) {
    return (
      <Section id="trees" title="Where the time went">
        <p>No trace tree is in this dump: none of its messages was sampled and long enough.</p>
      </Section>
    );
  }
  const left = chosen.reduce((sum, tree) => sum + tree.left, 0);
  const truncated = chosen.reduce((sum, tree) => sum + tree.cuts, 0);
  const name = chosen.length === 1 ? `message ${chosen[0]!.token}` : counted(chosen.length, "message");
  const onTabs = (event: KeyboardEvent): void => {
    const views = Object.keys(VIEWS) as View[];
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = views[(views.indexOf(view) + step + views.length) % views.length]!;
    setView(next);
    document.getElementById(`view-${next}`)?.focus();
  };
  return (
    <Section id="trees" title="Where the time went">
      <Pick dump={dump} trees={trees} tokens={tokens} toggle={toggle} only={only} />
      <div class="tools">
        <div role="tablist" aria-label="View" onKeyDown={onTabs}>
          {(Object.keys(VIEWS) as View[]).map((each) => (
            <button
              type="button"
              role="tab"
              id={`view-${each}`}
              aria-selected={view === each}
              aria-controls="view"
              tabIndex={view === each ? 0 : -1}
              onClick={() => setView(each)}
            >
              {VIEWS[each]}
            </button>
          ))}
        </div>
        <label>
          Search{" "}
          <input
            ref={box}
            type="search"
            id="search"
            value={text}
            placeholder="method, class or file"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <output id="found">{found}</output>
        <label>
          <input type="checkbox" id="lines" checked={lines} onChange={() => setLines(!lines)} /> by line
        </label>
      </div>
      <div role="tabpanel" id="view" aria-labelledby={`view-${view}`}>
        {chosen.length === 0 && <p>Tick a message.</p>}
        {chosen.length > 0 && view === "methods" && (
          <Butterfly report={report} trees={chosen} search={search} found={setFound} />
        )}
        {chosen.length > 0 && view !== "methods" && (
          <>
            <ul class="legend">
              {LEGEND.map((kind) => (
                <li>
                  <i class={`kind-${kind}`} />
                  {KIND_TEXT[kind]}
                </li>
              ))}
            </ul>
            <FlameView
              report={report}
              graph={graph}
              reversed={view === "up"}
              name={name}
              search={search}
              found={setFound}
              focusSearch={() => box.current?.focus()}
            />
          </>
        )}
        {left > 0 && (
          <p class="quiet">
            {counted(left, "call")} of the fewest samples {left === 1 ? "is" : "are"} left out of this page;{" "}
            {left === 1 ? "its" : "their"} time counts for the callers.
          </p>
        )}
        {truncated > 0 && <p class="quiet">{count(truncated)} stacks were too deep and lost their innermost frames.</p>}
      </div>
    </Section>
  );
}
