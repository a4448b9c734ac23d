// SPDX-License-Identifier: Apache-2.0
// The reader's place: what is chosen, shown and searched. The address's hash holds it, so that a link leads to the same
// place: "#message=17&view=up&search=Decimal". Anything absent from the hash has its initial value.

import type { Dump, Message, Report } from "./data";

export const VIEWS = { chart: "In time order", down: "Merged, top-down", up: "Bottom-up", methods: "Methods" } as const;
export type View = keyof typeof VIEWS;

export const OVERVIEW = -1; // of several dumps

export interface Place {
  dump: number; // OVERVIEW: none
  find: string; // search in the overview
  message: string; // or span: an item's id in the timeline
  trees: string[]; // tokens of the merged trees
  view: View;
  switches: Switch[]; // changed from their initial state
  search: string;
  kept: Record<string, string>; // state of the page's parts: an order, a filter
  frame: string; // the zoomed box, see frameKey(); or the method chosen in the table
}

// Options of the flame views for frames.
export const SWITCHES = {
  lines: "by line",
  recursion: "fold recursion",
  libraries: "fold libraries",
  framework: "fold framework",
} as const;
export type Switch = keyof typeof SWITCHES;

const KEPT = "the-"; // prefix of the names of `kept` in the hash

export type Go = (change: Partial<Place>) => void;

const longestOf = (messages: Message[]): Message | undefined =>
  messages.reduce<Message | undefined>(
    (longest, each) => ((each.wall ?? 0) > (longest?.wall ?? -1) ? each : longest),
    undefined,
  );

const blamedIn = ({ verdict }: Dump): string | null => (verdict.token === null ? null : String(verdict.token));

function firstMessage(dump: Dump): string {
  const last = dump.spans.length > 0 ? `s${dump.spans.length - 1}` : "";
  return blamedIn(dump) ?? longestOf(dump.messages)?.token ?? last;
}

function firstTrees(report: Report, dump: number, message: string): string[] {
  const trees = report.trees.filter((tree) => tree.dump === dump);
  const shown = trees.find((tree) => tree.token === message) ?? trees[0];
  return shown ? [shown.token] : [];
}

const isSeveral = (report: Report): boolean => report.list.length > 1;

const costliest = (report: Report): number =>
  report.list.reduce((best, row) => (row.whole >= 0 && row.cost > best.cost ? row : best), {
    cost: -1,
    whole: 0,
  }).whole;

// A dump's initial place, at `message` if given.
export function placeOfDump(report: Report, dump: number, message?: string): Place {
  const chosen = dump === OVERVIEW ? "" : (message ?? firstMessage(report.dumps[dump]!));
  const trees = firstTrees(report, dump, chosen);
  return { dump, find: "", message: chosen, trees, view: "down", switches: [], search: "", frame: "", kept: {} };
}

export const firstPlace = (report: Report): Place => placeOfDump(report, isSeveral(report) ? OVERVIEW : 0);

export function hashOf(report: Report, place: Place): string {
  const asOpened = placeOfDump(report, place.dump);
  const fields = new URLSearchParams();
  if (isSeveral(report) && place.dump !== OVERVIEW)
    fields.set("dump", report.list.find((row) => row.whole === place.dump)!.id);
  if (place.find) fields.set("dumps", place.find);
  if (place.message !== asOpened.message) fields.set("message", place.message);
  const trees = place.trees.join();
  if (trees !== firstTrees(report, place.dump, place.message).join()) fields.set("trees", trees);
  if (place.view !== asOpened.view) fields.set("view", place.view);
  if (place.switches.length > 0) fields.set("fold", place.switches.join());
  if (place.search) fields.set("search", place.search);
  if (place.frame) fields.set("frame", place.frame);
  for (const [name, value] of Object.entries(place.kept)) if (value) fields.set(KEPT + name, value);
  const text = fields.toString();
  return text && `#${text}`;
}

// The overview keeps its order and open causes while a dump is shown.
export const keptOfOverview = (kept: Place["kept"]): Place["kept"] =>
  Object.fromEntries(Object.entries(kept).filter(([name]) => name.startsWith("causes-")));

const isPlace = (hash: string): boolean => hash.includes("=");

// The place of a hash. Null if the hash names none: then it is a part of the page. Values that this report lacks stay
// initial. `now` is the dump for a hash without one.
export function placeOfHash(report: Report, hash: string, now = OVERVIEW): Place | null {
  const token = /^#[mt](\d+)$/.exec(hash)?.[1];
  if (hash === "" && isSeveral(report)) return firstPlace(report);
  if (!isPlace(hash) && token === undefined) return null;
  const fields = new URLSearchParams(hash.slice(1));
  const id = fields.get("dump");
  // Older links contain the dump's number.
  const row = report.list.find((each) => each.id === id) ?? report.list[Number(id ?? NaN) - 1];
  const find = fields.get("dumps") ?? (row && row.whole < 0 ? row.name : "");
  const kept = Object.fromEntries(
    [...fields].flatMap(([name, value]) => (name.startsWith(KEPT) ? [[name.slice(KEPT.length), value]] : [])),
  );
  const isOfAll = find !== "" || Object.keys(keptOfOverview(kept)).length > 0;
  const isAbout = (id === null && !isOfAll) || !isSeveral(report);
  const index = row?.whole ?? (!isAbout ? OVERVIEW : now === OVERVIEW ? costliest(report) : now);
  if (index === OVERVIEW) return { ...firstPlace(report), find, kept };
  const dump = report.dumps[index]!;
  const wanted = token ?? fields.get("message") ?? "";
  const spans = dump.spans.map((_, i) => `s${i}`);
  const isHere = dump.messages.some((message) => message.token === wanted) || spans.includes(wanted);
  const place = placeOfDump(report, index, isHere ? wanted : undefined);
  const here = new Set(report.trees.filter((tree) => tree.dump === index).map((tree) => tree.token));
  const list = (name: string): string[] => (fields.get(name) ?? "").split(",");
  const trees = list("trees").filter((each) => here.has(each));
  const view = fields.get("view") ?? "";
  return {
    ...place,
    find,
    trees: trees.length > 0 || fields.get("trees") === "" ? trees : place.trees,
    view: Object.hasOwn(VIEWS, view) ? (view as View) : place.view,
    switches: (Object.keys(SWITCHES) as Switch[]).filter((each) => list("fold").includes(each)),
    search: fields.get("search") ?? "",
    frame: fields.get("frame") ?? "",
    kept,
  };
}

// The part of the page that a link leads to. "": its top.
export function sectionOf(report: Report, place: Place): string {
  const asOpened = placeOfDump(report, place.dump, place.message);
  if (hashOf(report, { ...place, find: "" }) !== hashOf(report, asOpened)) return "trees";
  return place.message === placeOfDump(report, place.dump).message ? "" : "messages";
}

// A box by its number in the graph and the last part of its name, so that another graph's box does not match.
export const frameKey = (node: number, name: string): string =>
  node > 0 ? `${node}:${name.split(".").slice(-2).join(".")}` : "";

export function nodeOfKey(key: string, size: number, nameOf: (node: number) => string): number {
  const node = parseInt(key, 10);
  return node > 0 && node < size && frameKey(node, nameOf(node)) === key ? node : 0;
}
