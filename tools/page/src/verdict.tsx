// SPDX-License-Identifier: Apache-2.0
// The verdict and its evidence.

import type { ComponentChildren } from "preact";
import { Waits } from "./waits";
import type { Dump } from "./data";
import { count, duration } from "./format";
import { Fold, Section } from "./section";

const MOST_LINKS = 8;

interface Links {
  tokens: Set<string>;
  threads: Map<string, number>; // threads to blame that the page shows, by name
  waits: Set<number>; // of these, the ones with a stack under "Who waits for whom"
  choose: (token: string) => void;
}

function linksOf(dump: Dump, choose: (token: string) => void): Links {
  const rows = (dump.threads?.rows ?? []).filter((row) => dump.verdict.threads.includes(row.name));
  const chain = dump.verdict.chain.threads;
  const waiters = chain.length > 1 ? chain.filter((waiter) => dump.verdict.threads.includes(waiter.thread)) : [];
  return {
    tokens: new Set(dump.messages.map((message) => message.token)),
    threads: new Map([
      ...rows.map(({ name, tid }) => [name, tid] as const),
      ...waiters.map(({ thread, tid }) => [thread, tid] as const),
    ]),
    waits: new Set(waiters.map((waiter) => waiter.tid)),
    choose,
  };
}

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// "... (message 17) ... thread loader ..." with links to parts of the dump.
function Linked({ text, links }: { text: string; links: Links }) {
  const { waits } = links;
  const longestFirst = [...links.threads.keys()].sort((a, b) => b.length - a.length);
  const names = longestFirst.map((name) => `|[Tt]hread ${quoted(name)}`);
  const parts = text.split(new RegExp(`(\\bmessage \\d+${names.join("")})`));
  return (
    <>
      {parts.map((part) => {
        const tid = links.threads.get(/^thread (.*)$/is.exec(part)?.[1] ?? "");
        const token = /^message (\d+)$/.exec(part)?.[1];
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

// The messages to blame, costliest first.
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
  const tokens = dump.verdict.tokens.map(String);
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

// Paragraphs of a document, with text in backquotes or asterisks.
function Prose({ text }: { text: string }) {
  const plain = text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return (
    <>
      {plain.split(/\n\s*\n/).map((paragraph) => (
        <p>
          {paragraph
            .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
            .map((part) =>
              part.startsWith("`") ? (
                <code>{part.slice(1, -1)}</code>
              ) : part.startsWith("**") ? (
                <b>{part.slice(2, -2)}</b>
              ) : (
                part
              ),
            )}
        </p>
      ))}
    </>
  );
}

export function Verdict({
  dump,
  choose,
  children,
}: {
  dump: Dump;
  choose: (token: string) => void;
  children: ComponentChildren;
}) {
  const { verdict } = dump;
  const links = linksOf(dump, choose);
  return (
    <header>
      <div class="origin">
        <b>Stillframe</b>
        {dump.page.origin.map((word, i) => (
          <span class={i === 0 ? "chip" : ""}>{word}</span>
        ))}
        {verdict.kind !== "nothing-slow" && <span class="chip quiet">confidence: {verdict.confidence}</span>}
        {children}
      </div>
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
      <h1 id="verdict">
        <Linked text={verdict.headline} links={links} />
      </h1>
      <p id="sentence">
        <Linked text={verdict.sentence} links={links} />
      </p>
      <div class={`next ${verdict.kind}`}>
        <p id="next-step">
          <b>Next step:</b> <Linked text={verdict.next_step} links={links} />
        </p>
        {dump.page.meaning && (
          <Fold id="meaning" summary="What this verdict means">
            <Prose text={dump.page.meaning.trim()} />
          </Fold>
        )}
      </div>
    </header>
  );
}

// The basis of the verdict.
export function Evidence({
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
  const { verdict } = dump;
  const links = linksOf(dump, choose);
  if (verdict.evidence.length + verdict.tokens.length === 0) return null;
  return (
    <Section id="evidence" title="Evidence">
      <ul class="evidence">
        {verdict.evidence.map((line) => (
          <li>
            <Linked text={line} links={links} />
          </li>
        ))}
        <Blamed dump={dump} trees={trees} choose={choose} open={open} />
        {verdict.kind !== "nothing-slow" && (
          <li id="confidence">
            Confidence <b>{dump.page.certainty}</b>
          </li>
        )}
      </ul>
      <Waits chain={verdict.chain} />
    </Section>
  );
}
