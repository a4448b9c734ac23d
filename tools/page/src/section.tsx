// SPDX-License-Identifier: Apache-2.0
// The frame of each part of the page, and lists of label and value.

import type { ComponentChildren } from "preact";
import type { Fact } from "./data";
import { useKeptSet } from "./kept";

export function Section({
  id,
  title,
  note,
  children,
}: {
  id: string;
  title: string;
  note?: string;
  children: ComponentChildren;
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        {title}
        {note && <span class="quiet"> {note}</span>}
      </h2>
      {children}
    </section>
  );
}

export function Facts({ rows }: { rows: Fact[] }) {
  return (
    <dl>
      {rows.map(([label, value, meaning]) => (
        <div>
          <dt title={meaning}>{label}</dt>
          <dd class={value === null ? "quiet" : ""}>{value ?? "not in this dump"}</dd>
        </div>
      ))}
    </dl>
  );
}

// State of a fold: whether it is open, and the handler for a click on its summary. The address keeps, as `kept`, the
// ids that differ from their initial state.
export function useFold(kept: string, id: string, open: boolean): [boolean, (event: Event) => void] {
  const [toggled, keep] = useKeptSet(kept);
  const toggle = (event: Event): void => {
    event.preventDefault();
    const part = (event.currentTarget as HTMLElement).parentElement as HTMLDetailsElement;
    part.open = !part.open;
    const next = new Set(toggled);
    if (part.open === open) next.delete(id);
    else next.add(id);
    keep(next);
  };
  return [toggled.has(id) !== open, toggle];
}

// A fold within a section. `onPaper`: printing opens it.
export function Fold({
  id,
  summary,
  open = false,
  onPaper = false,
  children,
}: {
  id: string;
  summary: ComponentChildren;
  open?: boolean;
  onPaper?: boolean;
  children: ComponentChildren;
}) {
  const [isOpen, toggle] = useFold("folds", id, open);
  return (
    <details id={id} class={onPaper ? "" : "closed"} open={isOpen}>
      <summary onClick={toggle}>{summary}</summary>
      {children}
    </details>
  );
}
