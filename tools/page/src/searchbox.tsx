// SPDX-License-Identifier: Apache-2.0
// What is above a list: a box for an expression, other tools, and how much was found.

import type { ComponentChildren } from "preact";
import type { Search } from "./search";

interface SearchToolsProps {
  label: string;
  id: string;
  text: string;
  change: (text: string) => void;
  hint: string; // what is searched
  search: Search | null;
  outputId: string;
  found: string | null;
  children?: ComponentChildren;
}

export function SearchTools({ label, id, text, change, hint, search, outputId, found, children }: SearchToolsProps) {
  return (
    <form class="tools" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        {label}{" "}
        <input
          type="search"
          id={id}
          value={text}
          placeholder={hint}
          aria-invalid={search?.error ? "true" : "false"}
          onInput={(event) => change(event.currentTarget.value)}
        />
      </label>
      {children}
      <output id={outputId}>
        {search?.error && <b>{search.error}: </b>}
        {found}
      </output>
    </form>
  );
}
