// SPDX-License-Identifier: Apache-2.0
// Whose fault it was, and on what evidence.

import type { ComponentChildren } from "preact";
import { Contributors } from "./contributors";
import { Waits } from "./waits";
import type { Dump } from "./data";
import { count, counted, duration } from "./format";

const MOST_LINKS = 8;

interface Links {
  tokens: Set<string>;
  threads: Map<string, number>; // of those to blame that the page shows, by name
  waits: Set<number>; // of these the ones with a stack under "Who waits for whom"
  choose: (token: string) => void;
}

function linksOf(dump: Dump, choose: (token: string) => void): Links {
  const rows = (dump.threads?.rows ?? []).filter((row) => dump.verdict.threads.includes(row.name));
  const chain = dump.verdict.chain?.threads ?? [];
  const waiters = chain.length > 1 ? chain.filter((waiter) => dump.verdict.threads.includes(waiter.name)) : [];
  return {
    tokens: new Set(dump.messages.map((message) => message.token)),
    threads: new Map([...rows, ...waiters].map((each) => [each.name, each.tid])),
    waits: new Set(waiters.map((waiter) => waiter.tid)),
    choose,
  };
}

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// "… (token 17) … thread loader …" with links to what is in the dump.
function Linked({ text, links }: { text: string; links: Links }) {
  const { waits } = links;
  const longestFirst = [...links.threads.keys()].sort((a, b) => b.length - a.length);
  const names = longestFirst.map((name) => `|[Tt]hread ${quoted(name)}`);
  const parts = text.split(new RegExp(`(\\btoken \\d+${names.join("")})`));
  return (
    <>
      {parts.map((part) => {
        const tid = links.threads.get(/^thread (.*)$/is.exec(part)?.[1] ?? "");
        const token = /^token (\d+)$/.exec(part)?.[1];
        if (tid !== undefined) return <a href={`#${waits.has(tid) ? "waiter" : "thread"}-${tid}`}>{part}</a>;
        return token && links.tokens.has(token) ? (
          <a href={`#m${token}`} onClick={() => links.choose(token)}>
            {part}
          </a>
        ) : (
          part
        );
      })}
    </>
  );
}

// The messages to blame, the costliest first.
function Blamed({
  dump,
  trees,
  choose,
  open,
}: {
  dump: Dump;
  trees: Set<string>;
  choose: (token: string) => void;
  open: (token: string) => void;
}) {
  const { tokens } = dump.verdict;
  const wallOf = (token: string): number | null =>
    dump.messages.find((message) => message.token === token)?.wall ?? null;
  if (tokens.length === 0) return null;
  return (
    <li id="blamed">
      {tokens.length === 1 ? "The message: " : `The ${count(tokens.length)} messages, the costliest first: `}
      {tokens.slice(0, MOST_LINKS).map((token, i) => (
        <>
          {i > 0 && ", "}
          <a href={`#m${token}`} onClick={() => choose(token)}>
            {token}
          </a>{" "}
          ({duration(wallOf(token))}
          {trees.has(token) && (
            <>
              ,{" "}
              <a href="#trees" onClick={() => open(token)}>
                its flame graph
              </a>
            </>
          )}
          )
        </>
      ))}
      {tokens.length > MOST_LINKS && ` and ${count(tokens.length - MOST_LINKS)} more`}
    </li>
  );
}

function costOf(dump: Dump): string {
  const figure = (label: string, where: string): string[] => {
    const value = dump.costs.find(([name]) => name === label)?.[1];
    return value ? [`${value} ${where}`] : [];
  };
  const parts = [
    ...figure("handler time", "in its signal handler"),
    ...figure("collector cpu time", "of CPU time on its own thread"),
  ];
  return parts.join(" and ") || "what this dump does not say";
}

export function Verdict({
  dump,
  trees,
  choose,
  open,
  children,
}: {
  dump: Dump;
  trees: Set<string>;
  choose: (token: string) => void;
  open: (token: string) => void;
  children: ComponentChildren;
}) {
  const { verdict } = dump;
  const kept = dump.messages.reduce((sum, message) => sum + message.samples, 0);
  const links = linksOf(dump, choose);
  return (
    <header>
      <p class="origin">
        <b>Stillframe</b>
        <span>{dump.process}</span>
        <span>{dump.taken}</span>
        <span>
          trigger: {dump.trigger}
          {dump.triggerDetail && `: ${dump.triggerDetail}`}
          {dump.confirmed && `, confirmed by ${dump.confirmed}`}
        </span>
      </p>
      {dump.damage.length > 0 && (
        <div class="partial" role="note">
          <b>This report is partial.</b> The dump was truncated or damaged; what could be read is shown.
          <ul>
            {dump.damage.map((line) => (
              <li>{line}</li>
            ))}
          </ul>
        </div>
      )}
      <h1 id="verdict" class={verdict.kind}>
        <Linked text={verdict.headline} links={links} />
      </h1>
      <p id="sentence">
        <Linked text={verdict.sentence} links={links} />
      </p>
      <p id="next-step">
        Next step: <Linked text={verdict.next} links={links} />
      </p>
      <ul class="evidence">
        {verdict.evidence.map((line) => (
          <li>
            <Linked text={line} links={links} />
          </li>
        ))}
        <Blamed dump={dump} trees={trees} choose={choose} open={open} />
        {verdict.kind !== "nothing-slow" && (
          <li id="confidence">
            Confidence <b>{verdict.certainty}</b>
          </li>
        )}
      </ul>
      <Waits chain={verdict.chain} />
      {children}
      <Contributors verdict={verdict} known={links.tokens} choose={choose} />
      <p class="own">
        {dump.samplesLost > 0
          ? `${count(dump.samplesLost)} of ${counted(dump.samplesLost + kept, "sample")} lost`
          : "No sample was lost"}
        ; the profiler itself cost {costOf(dump)}. <a href="#cost">All its figures</a>
      </p>
    </header>
  );
}
