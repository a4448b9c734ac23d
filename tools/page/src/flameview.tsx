// SPDX-License-Identifier: Apache-2.0
// A flame graph with its surroundings: minimap, legend, facts of the current box, and its stack to copy.

import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useDrawing } from "./canvas";
import { copy } from "./clipboard";
import { timeLabel } from "./axis";
import { placeOf, type Report, type Tree } from "./data";
import { Flame, flameHeight } from "./flame";
import { count, counted, duration, exactShare, share } from "./format";
import type { Graph } from "./graph";
import { SourcePlace } from "./source";
import { statesOf, type StateRun } from "./states";
import { stackOf } from "./paths";
import { useKeptRange, useKeptSet } from "./kept";
import { FLAME_KEYS } from "./keys";
import { Acts, Legend } from "./legend";
import { stackLines } from "./markdown";
import { Minimap } from "./minimap";
import { ACTS, OWNERS, actOfState, ownerOf, type Act, type Owner } from "./palette";
import { frameKey, nodeOfKey } from "./place";
import { foundTime, type Search } from "./search";

const TALLEST = 620;

function Detail({ report, graph, node, whole }: { report: Report; graph: Graph; node: number; whole: string }) {
  const method = report.methods[graph.method[node]!];
  const place = method ? placeOf(method, graph.line[node]!) : "";
  return (
    <p class="detail" role="status">
      <code>{method ? method.name : whole}</code>
      {place && (
        <code class="quiet">
          {" "}
          (<SourcePlace method={method!.name} place={place} />)
        </code>
      )}{" "}
      <b>{duration(graph.total[node]!)}</b> ({share(graph.total[node]!, graph.total[0]!)}), self{" "}
      {duration(Math.max(graph.self[node]!, 0))}, {counted(graph.samples[node]!, "sample")}: {statesOf(graph, node)}
      {graph.folded[node] && <span class="quiet">; {counted(graph.folded[node].size, "folded method")} included</span>}
    </p>
  );
}

// Steps through search results, also from the search field.
export interface Stepper {
  step: (by: number) => void;
}

export function FlameView({
  report,
  trees,
  graph,
  track,
  reversed,
  name,
  search,
  frame,
  zoomed,
  found,
  stepper,
}: {
  report: Report;
  trees: Tree[];
  graph: Graph;
  track: StateRun[] | null;
  reversed: boolean;
  name: string;
  search: Search | null;
  frame: string;
  zoomed: (frame: string) => void;
  found: (text: string) => void;
  stepper: RefObject<Stepper>;
}) {
  const [selected, setSelected] = useState(0);
  const [hovered, setHovered] = useState(-1);
  const [isZoomed, setZoomed] = useState(false);
  const [copied, setCopied] = useState("");
  const [only, setOnly] = useKeptSet("owners");
  const overview = useRef<HTMLCanvasElement>(null);
  const nameOf = (node: number): string => report.methods[graph.method[node]!]?.name ?? "";
  const copySelected = (): void => {
    const flame = drawing.current;
    if (!flame) return;
    const stack = stackOf(graph, flame.selected);
    void copy(stackLines(report, graph, reversed ? stack : stack.reverse()).join("\n")).then(setCopied);
  };
  const tell = (flame: Flame): void => {
    if (!search) return found("");
    const time = foundTime(report, trees, search);
    const where = flame.at >= 0 ? `${count(flame.at + 1)} of ` : "";
    found(
      `${duration(time)}, ${exactShare(time, graph.total[0]!)}, ${where}${counted(flame.found.length, "box", "boxes")}`,
    );
  };
  const telling = useRef(tell);
  telling.current = tell;
  const zoom = useKeptRange("zoom");
  const { canvas, drawing } = useDrawing(
    (element) => {
      setSelected(0);
      setHovered(-1);
      let minimap: Minimap | null = null;
      const percent = (at: number): string => `${Math.round((1000 * at) / graph.total[0]!) / 10}%`;
      const flame = new Flame(element, report, graph, track, track ? timeLabel("0") : percent, name, {
        selected: (node) => {
          setSelected(node);
          setCopied("");
        },
        hovered: setHovered,
        moved: () => {
          minimap?.redraw();
          zoom.moved(flame.range);
          setZoomed(flame.range.span < flame.range.max);
        },
        zoomed: (node) => zoomed(frameKey(node, nameOf(node))),
        copy: copySelected,
        step: (by) => stepper.current?.step(by),
      });
      if (overview.current) minimap = new Minimap(overview.current, report, graph, flame.range);
      const end = flame.end.bind(flame);
      flame.end = () => {
        minimap?.end();
        end();
      };
      return flame;
    },
    [graph],
  );
  stepper.current = {
    step: (by) => {
      const flame = drawing.current;
      if (!flame) return;
      flame.step(by);
      telling.current(flame);
    },
  };
  useLayoutEffect(() => {
    const flame = drawing.current;
    if (!flame) return;
    flame.search(search);
    tell(flame);
  }, [search, graph]);
  useLayoutEffect(() => drawing.current?.show(only as Set<Owner>), [[...only].join(), graph]);
  useLayoutEffect(() => {
    const node = nodeOfKey(frame, graph.parent.length, nameOf);
    if (drawing.current && node !== drawing.current.zoomed) drawing.current.goTo(node);
  }, [frame, graph]);
  useLayoutEffect(() => zoom.restore(drawing.current?.range), [zoom.text, graph]);
  const owners = useMemo(() => {
    const seen = new Set(graph.method.map((method) => ownerOf(report.methods[method])));
    return (Object.keys(OWNERS) as Owner[]).filter((owner) => owner !== "root" && seen.has(owner));
  }, [report, graph]);
  const acts = useMemo(() => {
    const seen = new Set(graph.byState.flatMap((column, state) => (column[0]! > 0 ? [actOfState(state)] : [])));
    return (Object.keys(ACTS) as Act[]).filter((act) => seen.has(act) && (act !== "app" || track));
  }, [graph, track]);
  const whole = flameHeight(graph, track !== null);
  const shown = hovered >= 0 && hovered < graph.parent.length ? hovered : Math.min(selected, graph.parent.length - 1);
  return (
    <>
      <Legend
        label="Colours of the boxes"
        entries={owners.map((owner) => ({ key: owner, mark: `kind-${owner}`, text: OWNERS[owner] }))}
        only={only}
        show={setOnly}
      />
      <Acts
        label={track ? "What the thread did: the strip on top" : "What the thread did: stripes, and strips in boxes"}
        acts={acts}
      />
      <canvas
        ref={overview}
        class={`minimap ${isZoomed ? "" : "idle"}`}
        role="img"
        aria-label="The whole graph and the part of it that is shown"
      />
      <div class="flame" style={{ height: `${Math.min(whole, TALLEST)}px` }}>
        <div style={{ height: `${whole}px` }}>
          <canvas
            ref={canvas}
            id="flame"
            tabIndex={0}
            role="application"
            style={{ height: `${Math.min(whole, TALLEST)}px` }}
            aria-label={`Flame graph, ${counted(graph.parent.length - 1, "box", "boxes")}. ${FLAME_KEYS}`}
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
      </p>
    </>
  );
}
