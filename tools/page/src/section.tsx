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
      {rows.map(([label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd class={value === null ? "quiet" : ""}>{value ?? "not in this dump"}</dd>
        </div>
      ))}
    </dl>
  );
}

// A part that opens and closes; the address keeps what the reader changed. `onPaper`: printing opens it.
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
  const [toggled, keep] = useKeptSet("folds");
  const toggle = (event: Event & { currentTarget: HTMLElement }): void => {
    event.preventDefault();
    const part = event.currentTarget.parentElement as HTMLDetailsElement;
    part.open = !part.open;
    const next = new Set(toggled);
    if (part.open === open) next.delete(id);
    else next.add(id);
    keep(next);
  };
  return (
    <details id={id} class={onPaper ? "" : "closed"} open={toggled.has(id) !== open}>
      <summary onClick={toggle}>{summary}</summary>
      {children}
    </details>
  );
}
