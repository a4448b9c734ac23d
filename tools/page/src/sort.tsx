// SPDX-License-Identifier: Apache-2.0
// Tables sorted by a press on a column's head. Further presses reverse the order, then restore the initial one.

import { useMemo } from "preact/hooks";
import { useKept } from "./kept";

export interface Column<T> {
  title: string;
  class?: string;
  label?: string; // for a column without a title
  order?: (row: T) => number | string | null; // sort key, null last; absent: not sortable
}

interface Order {
  column: number;
  down: boolean;
}

const compare = (a: number | string, b: number | string): number =>
  typeof a === "number" && typeof b === "number" ? a - b : String(a) < String(b) ? -1 : a === b ? 0 : 1;

// Order after the first press: figures from the largest, names from A to Z.
const isFigure = <T,>(rows: T[], order: (row: T) => number | string | null): boolean =>
  rows.some((row) => typeof order(row) === "number");

// `name` is the table's name in the address.
export function useOrder<T>(name: string, rows: T[], columns: Column<T>[]) {
  const [text, keep] = useKept(`${name}-order`);
  const chosen = useMemo<Order | null>(() => {
    const [column, direction] = text.split(" ");
    return column && columns[Number(column)]?.order ? { column: Number(column), down: direction === "down" } : null;
  }, [text]);
  const setChosen = (order: Order | null): void => keep(order ? `${order.column} ${order.down ? "down" : "up"}` : "");
  const ordered = useMemo(() => {
    const by = chosen && columns[chosen.column]?.order;
    if (!by) return rows;
    const keyed = rows.map((row, at) => ({ row, at, key: by(row) }));
    keyed.sort((a, b) => {
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null) || a.at - b.at;
      return (chosen.down ? -1 : 1) * compare(a.key, b.key) || a.at - b.at;
    });
    return keyed.map(({ row }) => row);
  }, [rows, chosen]);
  const press = (column: number): void => {
    const down = isFigure(rows, columns[column]!.order!);
    if (chosen?.column !== column) setChosen({ column, down });
    else setChosen(chosen.down === down ? { column, down: !down } : null);
  };
  const sortOf = (column: number) =>
    chosen?.column === column ? (chosen.down ? ("descending" as const) : ("ascending" as const)) : ("none" as const);
  const head = (
    <thead>
      <tr>
        {columns.map((column, i) =>
          column.order ? (
            <th class={column.class ?? ""} aria-sort={sortOf(i)}>
              <button type="button" class="plain" onClick={() => press(i)}>
                {column.title}
                <span aria-hidden="true" class="sort">
                  {sortOf(i) === "none" ? "\u2195" : sortOf(i) === "descending" ? "\u25be" : "\u25b4"}
                </span>
              </button>
            </th>
          ) : (
            <th class={column.class ?? ""} aria-label={column.label ?? column.title}>
              {column.title}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
  return { ordered, head, isOrdered: chosen !== null };
}
