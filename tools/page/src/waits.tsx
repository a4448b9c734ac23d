// SPDX-License-Identifier: Apache-2.0
// The chain of waits from the main thread on, each thread with its stack.

import type { Chain, Waiter } from "./data";
import { Fold } from "./section";
import { Trace } from "./source";

const holds = (waiter: Waiter): string =>
  waiter.waits_for ? `waits for ${waiter.waits_for}` : "does not wait for a known lock";

function Thread({ waiter, remark }: { waiter: Waiter; remark: string }) {
  return (
    <li id={`waiter-${waiter.tid}`}>
      <b>{waiter.thread}</b> <span class="quiet">tid {waiter.tid}</span> {holds(waiter)}
      {remark && <span class="quiet">, {remark}</span>}
      {waiter.stack.length > 0 ? (
        <Fold id={`waits-${waiter.tid}`} summary={waiter.own_frame || waiter.stack[0]} open onPaper>
          <Trace frames={waiter.stack} />
        </Fold>
      ) : (
        <div class="quiet">no managed code</div>
      )}
    </li>
  );
}

export function Waits({ chain }: { chain: Chain }) {
  if (chain.threads.length < 2 && chain.candidates.length === 0) return null;
  const { threads, deadlock_from: deadlock, candidates } = chain;
  const remarkOf = (i: number): string => {
    if (i + 1 < threads.length) return `held by ${threads[i + 1]!.thread} (below)`;
    return deadlock === null ? "" : `held by ${threads[deadlock]!.thread}: a deadlock`;
  };
  return (
    <div id="waits">
      <h3>{deadlock === null ? "Who waits for whom" : "Deadlock: who waits for whom"}</h3>
      <ol>
        {threads.map((waiter, i) => (
          <Thread waiter={waiter} remark={remarkOf(i)} />
        ))}
      </ol>
      {candidates.length > 0 && (
        <>
          <p>Which thread can end that is not known. Candidates, since they run code of the class that waits:</p>
          <ul>
            {candidates.map((waiter) => (
              <Thread waiter={waiter} remark="a candidate" />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
