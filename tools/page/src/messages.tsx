// The past and the present: timeline, table of messages, facts of the chosen one.

import { useEffect, useMemo, useState } from "preact/hooks";
import { useDrawing } from "./canvas";
import type { Dump, Fact, Jank, Message } from "./data";
import { count, counted, duration, relative, share } from "./format";
import { CLASSES } from "./palette";
import { Timeline, laneHeight, type Lane } from "./timeline";
import { Facts, Section } from "./section";

const KEYS = "\u2190 \u2192 choose a message, + \u2212 zoom, Shift+\u2190 \u2192 move, Enter zooms to it, Esc shows all. Mouse: Ctrl+wheel zooms, drag moves, double click zooms.";

function factsOf(message: Message): Fact[] {
  const part = (us: number | null): string =>
    us === null ? "not in this dump" : message.wall ? `${duration(us)} (${share(us, message.wall)})` : duration(us);
  return [
    ["message", message.text],
    ["class", CLASSES[message.class] ?? message.class],
    ["token", message.token],
    ["began", message.start === null ? "unknown" : `${relative(message.start)} from the dump`],
    ["ran", message.running ? `${duration(message.wall)} so far, still running` : duration(message.wall)],
    ["on a CPU", part(message.cpu)],
    ["ready, without a CPU", part(message.queue)],
    ["blocked on monitors", message.lock ? `${part(message.blocked)}, held by ${message.lock}` : part(message.blocked)],
    ["waited in the queue", duration(message.wait)],
    ...(message.system ? [["system message", message.system] as Fact] : []),
    ["handler", message.target || "unknown"],
    ["callback", message.callback || "none or unknown"],
    ["what", message.what === null ? "unknown" : String(message.what)],
    ["samples", count(message.samples)],
    ["notes", message.flags || "none"],
  ];
}

function Row({ message, chosen, longest, hasTree, choose }: {
  message: Message; chosen: boolean; longest: number; hasTree: boolean; choose(): void;
}) {
  const bar = (us: number | null): string => `${Math.min(100, (100 * Math.max(us ?? 0, 0)) / longest)}%`;
  return (
    <tr class={chosen ? "chosen" : ""} id={`m${message.token}`}>
      <td class="n">{relative(message.start)}</td>
      <td class="n">{duration(message.wall)}</td>
      <td class="n">{message.cpu === null ? "?" : duration(message.cpu)}</td>
      <td class="bars" aria-hidden="true">
        <div class={`bar class-${message.class}`} style={{ width: bar(message.wall) }} />
        <div class="bar cpu" style={{ width: bar(message.cpu) }} />
      </td>
      <td class="name">
        <button type="button" class="plain" aria-pressed={chosen} onClick={choose}>{message.text}</button>
        {message.running && <span class="badge">running</span>}
        {hasTree && <span class="badge quiet">tree</span>}
      </td>
      <td class="n">{message.token}</td>
    </tr>
  );
}

function Frames({ jank }: { jank: Jank | null }) {
  if (!jank || jank.absent) return <p class="quiet">Frames: {jank ? jank.absent : "not in this dump"}.</p>;
  return (
    <p class="quiet">
      Frames: {count(jank.frames)} drawn, {count(jank.missed)} missed at {duration(jank.refresh)} each, {counted(jank.frozen.length, "frozen one")}
      {" "}in {duration(jank.watched)}.{jank.scenes.map(([scene, text]) => ` ${scene}: ${text}.`)}
    </p>
  );
}

export function Messages({ dump, trees, chosen, choose, open }: {
  dump: Dump; trees: Set<string>; chosen: string; choose(token: string): void; open(token: string): void;
}) {
  const [hovered, setHovered] = useState<Message | null>(null);
  const lanes = useMemo<Lane[]>(() => {
    const messages = dump.messages.filter((message) => message.start !== null);
    messages.sort((a, b) => a.start! - b.start!);
    return dump.loopers.map((looper, index) => ({
      name: `${looper.name}, thread ${looper.tid}${looper.messages === null ? "" : `, ${counted(looper.messages, "message")}`}`,
      messages: messages.filter((message) => message.looper === index),
      spans: dump.spans.filter((span) => span.looper === index && span.start !== null),
      frozen: index === 0 ? (dump.jank?.frozen ?? []) : [],
    }));
  }, [dump]);
  const { canvas, drawing } = useDrawing((element) => new Timeline(element, lanes, {
    selected: (message) => choose(message.token),
    hovered: setHovered,
  }), [lanes]);
  useEffect(() => drawing.current?.select(chosen, true), [chosen, lanes]);
  const longest = Math.max(1, ...dump.messages.map((message) => message.wall ?? 0));
  const message = dump.messages.find((each) => each.token === chosen);
  const shown = hovered ?? message;
  const classes = [...new Set([...dump.messages, ...dump.spans].map((each) => each.class))];
  if (dump.messages.length + dump.spans.length === 0) {
    return <Section id="messages" title="What the main thread did"><p>No slow message is in this dump, and none was running.</p></Section>;
  }
  return (
    <Section id="messages" title="What the main thread did">
      <ul class="legend">
        {classes.map((name) => <li><i class={`class-${name}`} />{CLASSES[name] ?? name}</li>)}
        <li><i class="cpu" />part of it on a CPU</li><li><i class="queue" />ready, without a CPU</li>
      </ul>
      <canvas ref={canvas} class="timeline" tabIndex={0} role="application" style={{ height: `${laneHeight(lanes)}px` }}
        aria-label={`Timeline of ${counted(dump.messages.length, "message")}. ${KEYS}`} />
      <p class="status" role="status">{shown ? `${shown.text}: ${duration(shown.wall)}${shown.running ? " so far" : ""}, from ${relative(shown.start)}` : KEYS}</p>
      <Frames jank={dump.jank} />
      {dump.spans.length === 0 && <p class="quiet">Quick messages are not in this dump: only those of 50 ms and more are shown.</p>}
      <div class="split">
        <div class="scroll" tabIndex={0} role="group" aria-label="Messages">
          <table>
            <thead><tr><th class="n">start</th><th class="n">ran</th><th class="n">CPU</th><th>ran / CPU</th><th>dispatched to</th><th class="n">token</th></tr></thead>
            <tbody>
              {dump.messages.map((each) => (
                <Row message={each} chosen={each.token === chosen} longest={longest} hasTree={trees.has(each.token)} choose={() => choose(each.token)} />
              ))}
            </tbody>
          </table>
          {dump.messagesLost > 0 && <p class="quiet">{counted(dump.messagesLost, "older message")} did not fit into the history.</p>}
        </div>
        {message && (
          <aside id="message-facts" aria-label="Facts of the chosen message">
            <Facts rows={factsOf(message)} />
            {trees.has(message.token)
              ? <button type="button" onClick={() => open(message.token)}>Open its flame graph</button>
              : <p class="quiet">No trace tree of this message is in this dump.</p>}
          </aside>
        )}
      </div>
    </Section>
  );
}
