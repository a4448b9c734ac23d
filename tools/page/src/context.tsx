// SPDX-License-Identifier: Apache-2.0
// Surroundings of the dump: process, device, load; and the profiler's own state. Absent facts take no space.

import type { Dump, Fact } from "./data";
import { Facts, Fold, Section } from "./section";

const MOST_OPEN = 14; // facts

export function Context({ dump }: { dump: Dump }) {
  const { page, signal_catcher: report } = dump;
  const groups = [...page.facts.filter(([title]) => title !== SETTINGS), ...page.context].map(
    ([title, rows]): [string, Fact[]] => [title, rows.filter(([, value]) => isKnown(value) && !isZero(value))],
  );
  return (
    <Section id="context" title="System and process">
      {groups.map(
        ([title, rows]) =>
          rows.length > 0 && (
            <Fold id={`facts-${title.replace(/\W+/g, "-")}`} summary={title} open={rows.length <= MOST_OPEN} onPaper>
              <Facts rows={rows} />
            </Fold>
          ),
      )}
      {report?.text && (
        <Fold id="signal-catcher" summary="The Signal Catcher's report">
          <pre tabIndex={0}>{report.text}</pre>
        </Fold>
      )}
    </Section>
  );
}

const SETTINGS = "Settings";

const isZero = (value: string | null): boolean => value !== null && /^0(\.0)?(\s|$)/.test(value);
const isKnown = (value: string | null): boolean => value !== null && !/^(not known|unknown)\b/.test(value);

// One line says whether the profiler worked. Its figures and settings are folded.
export function Health({ dump: { page } }: { dump: Dump }) {
  const zero = page.costs.filter(([, value]) => isZero(value));
  const [, settings] = page.facts.find(([title]) => title === SETTINGS) ?? [SETTINGS, []];
  return (
    <Section id="cost" title="Profiler health">
      <p>{page.health}</p>
      <Fold id="health" summary="Details">
        <Facts rows={page.costs.filter(([, value]) => !isZero(value))} />
        {zero.length > 0 && <p class="quiet">Zero: {zero.map(([label]) => label).join(", ")}.</p>}
        {settings.length > 0 && <h3>Settings</h3>}
        <Facts rows={settings} />
      </Fold>
    </Section>
  );
}
