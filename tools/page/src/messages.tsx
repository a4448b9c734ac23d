// SPDX-License-Identifier: Apache-2.0
// Past and present: timeline, table of messages, facts of the chosen message.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useDrawing } from "./canvas";
import { startIn, type Dump, type Jank, type Message, type Tree } from "./data";
import { count, counted, duration, relative } from "./format";
import { factsOf, followedItems, frozenText, itemsOf, legendOf, summaryOf, type Item } from "./items";
import { useKept, useKeptRange, useKeptSet } from "./kept";
import { TIMELINE_KEYS } from "./keys";
import { Legend } from "./legend";
import { actOfState, markOf } from "./palette";
import { SectionRows } from "./sections";
import { Timeline, timelineHeight, type FrameTrack, type Lane } from "./timeline";
import { Facts, Section } from "./section";
import { useOrder, type Column } from "./sort";

const MOST_ROWS = 1000;
const MOST_LANES = 4; // shown by default

const COLUMNS: Column<Message>[] = [
  { title: "start", class: "n", order: (message) => message.start },
  { title: "ran", class: "n", order: (message) => message.wall },
  { title: "CPU time", class: "n mid", order: (message) => message.cpu },
  { title: "waiting for CPU", class: "n wide", order: (message) => message.queue },
  { title: "", class: "wide", label: "shares" },
  { title: "message", order: (message) => message.text },
  { title: "number", class: "n mid", order: (message) => Number(message.token) },
];

// Scrolls the row completely into view, below the table's head. The page itself does not move.
function scrollTo(row: HTMLElement): void {
  const box = row.closest<HTMLElement>(".scroll");
  const head = box?.querySelector("thead");
  if (!box || !head) return;
  const { top, bottom } = row.getBoundingClientRect();
  const inside = box.getBoundingClientRect();
  if (bottom > inside.bottom) box.scrollTop += bottom - inside.bottom;
  else if (top < inside.top + head.offsetHeight) box.scrollTop -= inside.top + head.offsetHeight - top;
}

function Row({
  message,
  chosen,
  colour,
  longest,
  hasTree,
  thread,
  choose,
}: {
  message: Message;
  chosen: boolean;
  colour: string;
  longest: number;
  hasTree: boolean;
  thread: string;
  choose: () => void;
}) {
  const width = (us: number | null): string => `${Math.min(100, (100 * Math.max(us ?? 0, 0)) / longest)}%`;
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (chosen && row.current) scrollTo(row.current);
  }, [chosen]);
  return (
    <tr class={chosen ? "chosen" : ""} id={`m${message.token}`} ref={row} onClick={choose}>
      <td class="n">{relative(message.start)}</td>
      <td class="n">{duration(message.wall)}</td>
      <td class="n mid">{message.cpu === null ? "?" : duration(message.cpu)}</td>
      <td class="n wide">{message.queue === null ? "?" : duration(message.queue)}</td>
      <td class="bars wide" aria-hidden="true">
        <div class={`bar ${markOf(colour)}`} style={{ width: width(message.wall) }} />
        <div class="parts">
          <div class="bar cpu" style={{ width: width(message.cpu) }} />
          <div class="bar queue" style={{ width: width(message.queue) }} />
        </div>
      </td>
      <td class="name">
        <button type="button" class="plain" aria-pressed={chosen}>
          {message.text}
        </button>
        {message.isRunning && <span class="badge">running</span>}
        {hasTree && <span class="badge quiet">flame graph</span>}
        {thread && <span class="badge quiet">{thread}</span>}
      </td>
      <td class="n mid">{message.token}</td>
    </tr>
  );
}

// Chooses which watched threads are shown.
function PickLoopers({ dump, shown, show }: { dump: Dump; shown: Set<number>; show: (loopers: Set<number>) => void }) {
  if (dump.loopers.length < 2) return null;
  const toggle = (index: number): void => {
    const next = new Set(shown);
    if (!next.delete(index)) next.add(index);
    show(next);
  };
  return (
    <fieldset class="tools" id="loopers">
      <legend class="quiet">Threads with a Looper</legend>
      {dump.loopers.map((looper, index) => (
        <label>
          <input type="checkbox" checked={shown.has(index)} onChange={() => toggle(index)} /> {looper.thread}{" "}
          <span class="quiet">{looper.tid}</span>
        </label>
      ))}
    </fieldset>
  );
}

const sceneText = ({ scene, frames, missed, frozen_ns, shown_ns }: Jank["scenes"][number]): string =>
  ` ${scene || "Without a scene"}: ${count(frames)} frames, ${count(missed)} missed, frozen ${duration(frozen_ns / 1000)} of ${duration(shown_ns / 1000)}.`;

function Frames({ jank }: { jank: Jank | null }) {
  if (!jank || jank.absent || jank.frames === 0) return null;
  return (
    <p class="quiet">
      Frames: {count(jank.frames)} drawn, {jank.due_unknown > 0 && "at least "}
      {count(jank.missed)} missed at {duration(jank.refresh_interval_ns / 1000)} each,{" "}
      {counted(jank.frozen.length, "frozen one")} in {duration(jank.watched_ns / 1000)}.{jank.scenes.map(sceneText)}
    </p>
  );
}

function Sections({ dump }: { dump: Dump }) {
  if (!dump.trace_sections || dump.trace_sections.absent) return null;
  const { lost, sections } = dump.trace_sections;
  const more = dump.page.left_out.sections ?? 0;
  return (
    <p class="quiet">
      Sections of the trace marker: {count(sections.length)}
      {more > 0 && `, ${count(more)} more only in inspect`}; {counted(lost, "event")} before them or lost.
    </p>
  );
}

function trackOf(items: Item[], dump: Dump): FrameTrack | null {
  const { jank } = dump;
  if (!jank || jank.absent) return null;
  const refresh = jank.refresh_interval_ns / 1000;
  const drawn = items
    .filter((item) => item.looper === 0 && item.kind === "frame" && item.start !== null)
    .map((item) => ({ id: item.id, due: item.start! - (item.message?.wait ?? 0), end: item.start! + item.length }))
    .sort((a, b) => a.due - b.due);
  const frozen = jank.frozen.flatMap((frame) => {
    const start = startIn(dump, frame.start_ns);
    if (start === null) return [];
    return [{ id: String(frame.token), start, end: start + frame.duration_ns / 1000, text: frozenText(frame) }];
  });
  const name = `frames on the screen${refresh > 0 ? `, a refresh every ${duration(refresh)}` : ""}`;
  return { name, refresh, drawn, frozen };
}

// Other threads during the main thread's waits: a lane each, below the main thread's.
function followedLanes(dump: Dump): Lane[] {
  const lanes = new Map<number, Lane>();
  for (const thread of dump.page.followed) {
    const { tid, name, role } = thread;
    if (!lanes.has(tid)) lanes.set(tid, { name: `${name} (${tid}) · ${role}`, items: [] });
    lanes.get(tid)!.items.push(...followedItems(dump, thread));
  }
  return [...lanes.values()].filter((lane) => lane.items.length > 0);
}

export function Messages({
  dump,
  trees,
  chosen,
  choose,
  open,
  children,
}: {
  dump: Dump;
  trees: Tree[];
  chosen: string;
  choose: (id: string) => void;
  open: (token: string) => void;
  children: ComponentChildren; // between timeline and table
}) {
  const withTree = useMemo(() => new Set(trees.map((tree) => tree.token)), [trees]);
  const items = useMemo(() => itemsOf(dump, trees), [dump, trees]);
  const item = items.find((each) => each.id === chosen);
  const [threads, keepThreads] = useKept("threads");
  const picked = useMemo(() => {
    const all = dump.loopers.map((_, index) => index);
    const isOn = (index: number): boolean =>
      threads ? threads.split(",").includes(String(index)) : index === 0 || all.length <= MOST_LANES;
    return new Set(all.filter(isOn));
  }, [dump, threads]);
  const shown = useMemo(() => new Set([...picked, ...(item ? [item.looper] : [])]), [picked, item?.looper]);
  const [hovered, setHovered] = useState("");
  const [only, setOnly] = useKeptSet("shown");
  const shownColours = [...only].join();
  const lanes = useMemo<Lane[]>(() => {
    const timed = items.filter((each) => each.start !== null).sort((a, b) => a.start! - b.start!);
    const followed = shown.has(0) ? followedLanes(dump) : [];
    const loopers = dump.loopers.flatMap((looper, index) =>
      shown.has(index)
        ? [
            {
              name: `${looper.thread} (${looper.tid})${looper.messages === 0 ? "" : ` · ${counted(looper.messages, "message")} since start`}`,
              items: timed.filter((each) => each.looper === index),
            },
          ]
        : [],
    );
    return [...loopers.slice(0, 1), ...followed, ...loopers.slice(1)];
  }, [dump, items, shown]);
  const track = useMemo(() => (shown.has(0) ? trackOf(items, dump) : null), [dump, items, shown]);
  const sections = useMemo(
    () =>
      shown.has(0) && dump.trace_sections?.sections.length ? new SectionRows(dump, dump.trace_sections.sections) : null,
    [dump, shown],
  );
  const zoom = useKeptRange("time");
  const { canvas, drawing } = useDrawing(
    (element) =>
      new Timeline(element, lanes, track, sections, { selected: choose, hovered: setHovered, moved: zoom.moved }),
    [lanes, track, sections],
  );
  useLayoutEffect(() => drawing.current?.select(chosen), [chosen, lanes, track, sections]);
  useLayoutEffect(() => drawing.current?.show(only), [shownColours, lanes, track, sections]);
  useLayoutEffect(() => zoom.restore(drawing.current?.range), [zoom.text, lanes, track, sections]);
  const colourOf = useMemo(() => new Map(items.map((each) => [each.id, each.colour])), [items]);
  const all = useMemo(() => dump.messages.filter((message) => shown.has(message.looper)), [dump, shown]);
  const messages = useMemo(
    () => all.filter((message) => only.size === 0 || only.has(colourOf.get(message.token)!)).slice(-MOST_ROWS),
    [all, shownColours],
  );
  const { ordered, head } = useOrder("messages", messages, COLUMNS);
  const longest = Math.max(1, ...messages.map((message) => message.wall ?? 0));
  const colours = [...new Set(items.map((each) => each.colour))];
  const inStrip = new Set(items.flatMap((each) => each.states.map((run) => actOfState(run.state))));
  for (const { stretches } of dump.page.followed) for (const { state } of stretches) inStrip.add(actOfState(state));
  if (items.length === 0) {
    return (
      <>
        <Section id="timeline" title="Timeline">
          <p>This dump has no slow message, and no running one. Imported traces hold no messages.</p>
        </Section>
        {children}
      </>
    );
  }
  const left = dump.history_lost + (dump.page.left_out.history ?? 0) + all.length - Math.min(all.length, MOST_ROWS);
  return (
    <>
      <Section id="timeline" title="Timeline">
        <PickLoopers dump={dump} shown={shown} show={(next) => keepThreads([...next].join() || "none")} />
        <canvas
          ref={canvas}
          class="timeline"
          tabIndex={0}
          role="application"
          title={TIMELINE_KEYS}
          style={{ height: `${timelineHeight(lanes, track, sections)}px` }}
          aria-label={`Timeline of ${counted(dump.messages.length, "message")}. ${TIMELINE_KEYS}`}
        />
        <Legend
          label="What the thread did"
          entries={colours.map((colour) => ({ key: colour, mark: markOf(colour), text: legendOf(colour) }))}
          only={only}
          show={setOnly}
          others={[...inStrip].filter((act) => !colours.includes(act))}
        />
        <p class="status" role="status">
          {hovered || (item ? summaryOf(item) : "Choose a message.")}
        </p>
      </Section>
      {children}
      <Section id="messages" title="Messages">
        {trees.length === 0 && <p class="quiet">No message was sampled and long enough for a flame graph.</p>}
        <Frames jank={dump.jank} />
        <Sections dump={dump} />
        <div class="split">
          {(all.length > 1 || messages.length === 0 || left > 0) && (
            <div class="scroll" tabIndex={0} role="group" aria-label="Messages">
              {all.length > 1 && (
                <table>
                  {head}
                  <tbody>
                    {ordered.map((each) => (
                      <Row
                        message={each}
                        chosen={each.token === chosen}
                        colour={colourOf.get(each.token) ?? "other"}
                        longest={longest}
                        hasTree={withTree.has(each.token)}
                        thread={shown.size > 1 ? (dump.loopers[each.looper]?.thread ?? "") : ""}
                        choose={() => choose(each.token)}
                      />
                    ))}
                  </tbody>
                </table>
              )}
              {messages.length === 0 && <p class="quiet">Short messages are not listed one by one.</p>}
              {left > 0 && (
                <p class="quiet">
                  {counted(left, "older message")} {left === 1 ? "is" : "are"} not listed.
                </p>
              )}
            </div>
          )}
          {item && (
            <aside id="message-facts" aria-label="Facts of what is chosen">
              <Facts rows={factsOf(item, dump.jank)} />
              {withTree.has(item.id) && (
                <button type="button" onClick={() => open(item.id)}>
                  Open its flame graph
                </button>
              )}
            </aside>
          )}
        </div>
      </Section>
    </>
  );
}
