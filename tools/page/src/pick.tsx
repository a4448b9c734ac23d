// SPDX-License-Identifier: Apache-2.0
// Chooses among the messages that have a tree. One or several are shown.

import type { Dump, Tree } from "./data";
import { counted, duration } from "./format";

export function Pick({
  dump,
  trees,
  tokens,
  choose,
}: {
  dump: Dump;
  trees: Tree[];
  tokens: string[];
  choose: (tokens: string[]) => void;
}) {
  const timeOf = (tree: Tree): number => tree.weight.reduce((sum, weight) => sum + weight, 0);
  const largest = Math.max(1, ...trees.map(timeOf));
  const ordered = [...trees].sort((a, b) => timeOf(b) - timeOf(a));
  const toggle = (token: string): void =>
    choose(tokens.includes(token) ? tokens.filter((each) => each !== token) : [...tokens, token]);
  return (
    <fieldset class="pick">
      <legend>Messages (select several to merge)</legend>
      {ordered.map((tree) => {
        const message = dump.messages.find((each) => each.token === tree.token);
        const time = timeOf(tree);
        return (
          <div class={tokens.includes(tree.token) ? "chosen" : ""} id={`t${tree.token}`}>
            <input
              type="checkbox"
              aria-label={`Merge message ${tree.token}`}
              checked={tokens.includes(tree.token)}
              onChange={() => toggle(tree.token)}
            />
            <button type="button" class="plain" onClick={() => choose([tree.token])}>
              <b>{duration(time)}</b> {message?.text ?? `message ${tree.token}`}{" "}
              <span class="quiet">
                message {tree.token}, {counted(tree.taken, "sample")}
                {message?.isRunning ? ", running" : ""}
              </span>
            </button>
            <div class="bar" style={{ width: `${(100 * time) / largest}%` }} aria-hidden="true" />
          </div>
        );
      })}
    </fieldset>
  );
}
