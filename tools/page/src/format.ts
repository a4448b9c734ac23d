// SPDX-License-Identifier: Apache-2.0
// Figures in the form that people read.

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export const count = (n: number): string => grouped.format(n);

export const counted = (n: number, noun: string, plural = `${noun}s`): string =>
  `${count(n)} ${n === 1 ? noun : plural}`;

// "2,940 ms"; below 10 ms with decimals.
export function duration(us: number | null): string {
  if (us === null) return "not in this dump";
  if (us === 0) return "0 ms";
  const ms = us / 1000;
  return Math.abs(ms) < 10 ? `${ms.toFixed(Math.abs(ms) < 1 ? 2 : 1)} ms` : `${count(ms)} ms`;
}

// "4.0 s" for people, "850 ms" below a second.
export const seconds = (us: number): string => (us < 1e6 ? duration(us) : `${(us / 1e6).toFixed(1)} s`);
// "6.2 min", for totals.
export function longDuration(us: number): string {
  if (us < 1e6) return duration(us);
  const [unit, name] = us < 60e6 ? [1e6, "s"] : us < 3600e6 ? [60e6, "min"] : [3600e6, "h"];
  return `${us < 100 * unit ? (us / unit).toFixed(1) : count(us / unit)} ${name}`;
}

export const utcTime = (seconds: number): string =>
  new Date(1000 * seconds)
    .toISOString()
    .replace("T", " ")
    .replace(/:\d\d\.000Z/, " UTC");

// "1.9" precedes "1.10".
const versions = new Intl.Collator("en", { numeric: true });
export const byVersion = (a: string, b: string): number => versions.compare(a, b);

export function share(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return "0%";
  const percent = (100 * part) / whole;
  return percent < 1 ? "< 1%" : `${Math.round(percent)}%`;
}

// "12.3%", for shares that are counted, not judged.
export const exactShare = (part: number, whole: number): string =>
  `${whole > 0 && part > 0 ? ((100 * part) / whole).toFixed(1) : "0"}%`;

// "-4.812 s" before the dump.
export const relative = (us: number | null): string =>
  us === null ? "unknown" : `${us < 0 ? "\u2212" : ""}${(Math.abs(us) / 1e6).toFixed(3)} s`;

// A label for a time axis whose ticks are `step` apart.
export function axisLabel(us: number, step: number): string {
  const sign = us < 0 ? "\u2212" : "";
  const size = Math.abs(us);
  if (step >= 1e6) return `${sign}${Math.round(size / 1e6)} s`;
  if (step >= 1e3)
    return size >= 1e6 || us < 0
      ? `${sign}${(size / 1e6).toFixed(step >= 1e5 ? 1 : step >= 1e4 ? 2 : 3)} s`
      : `${sign}${Math.round(size / 1e3)} ms`;
  return `${sign}${(size / 1e3).toFixed(step >= 100 ? 1 : 2)} ms`;
}

// Shortens a name to `characters`, package first: "fixture.Decimal.multiply", "Decimal.multiply", "multiply",
// "multip…".
export function fitName(name: string, characters: number): string {
  if (characters < 3) return "";
  if (name.length <= characters) return name;
  if (name.startsWith("[")) return cut(name, characters);
  const parts = name.split(".");
  const method = parts.at(-1)!;
  const short = parts.slice(-2).join(".");
  return short.length <= characters ? short : cut(method, characters);
}

// "Decimal.multiply" for "fixture.Decimal.multiply".
export const shortName = (name: string): string => (name.startsWith("[") ? name : name.split(".").slice(-2).join("."));

const cut = (name: string, characters: number): string =>
  name.length <= characters ? name : `${name.slice(0, characters - 1)}\u2026`;

// "Handler (android.app.ActivityThread$H) {1a2b} app.Sync@3c" with class names without packages.
export const withoutPackages = (text: string): string => text.replace(/\b(?:[a-z_][\w]*\.)+(?=[A-Z])/g, "");
