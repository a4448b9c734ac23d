// Whose fault it was, and on what evidence.

import type { Dump } from "./data";
import { counted } from "./format";

// "… (token 17) …" with the tokens that are in the dump as links.
function Linked({ text, tokens, choose }: { text: string; tokens: Set<string>; choose(token: string): void }) {
  const parts = text.split(/(\btokens? \d+)/);
  return (
    <>
      {parts.map((part) => {
        const token = /^tokens? (\d+)$/.exec(part)?.[1];
        if (!token || !tokens.has(token)) return part;
        return <a href={`#m${token}`} onClick={() => choose(token)}>{part}</a>;
      })}
    </>
  );
}

function Sentence({ text, culprit, ...rest }: { text: string; culprit: string; tokens: Set<string>; choose(token: string): void }) {
  const at = culprit ? text.indexOf(culprit) : -1;
  if (at < 0) return <Linked text={text} {...rest} />;
  return (
    <>
      <Linked text={text.slice(0, at)} {...rest} /><em>{culprit}</em><Linked text={text.slice(at + culprit.length)} {...rest} />
    </>
  );
}

export function Verdict({ dump, trees, choose, open }: {
  dump: Dump; trees: Set<string>; choose(token: string): void; open(token: string): void;
}) {
  const { verdict } = dump;
  const tokens = new Set(dump.messages.map((message) => message.token));
  const links = { tokens, choose };
  return (
    <header>
      <p class="origin"><b>Stillframe</b><span>{dump.process}</span><span>{dump.taken}</span><span>because of {dump.trigger}{dump.triggerDetail && `: ${dump.triggerDetail}`}{dump.confirmed && `, confirmed by ${dump.confirmed}`}</span></p>
      {dump.damage.length > 0 && (
        <div class="partial" role="note">
          <b>This report is partial.</b> The dump was cut or damaged; what could be read is shown.
          <ul>{dump.damage.map((line) => <li>{line}</li>)}</ul>
        </div>
      )}
      <h1 id="verdict" class={verdict.kind}><Sentence text={verdict.sentence} culprit={verdict.culprit} {...links} /></h1>
      <ul class="evidence">
        {verdict.evidence.map((line) => <li><Linked text={line} {...links} /></li>)}
        {verdict.token !== null && (
          <li>
            <a href={`#m${verdict.token}`} onClick={() => choose(verdict.token!)}>The message</a>
            {trees.has(verdict.token) && <>, <a href="#trees" onClick={() => open(verdict.token!)}>its flame graph</a></>}
          </li>
        )}
      </ul>
      <p class="own">
        {dump.samplesLost > 0 ? <b>{counted(dump.samplesLost, "sample")} lost; </b> : "No sample was lost; "}
        <a href="#cost">what the profiler itself cost</a>
      </p>
    </header>
  );
}
