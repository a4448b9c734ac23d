// SPDX-License-Identifier: Apache-2.0
// The frame around each part of the page, and lists of label and value.

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

// What opens and closes, whether it is open and what a click on its summary does. The address keeps, by the name `kept`,
// the ids that are not as they were at first.
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

// A part of a section that opens and closes. `onPaper`: printing opens it.
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
