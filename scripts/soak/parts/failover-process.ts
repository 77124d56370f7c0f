/** Plays failover histories for `soak -- failover`. */
import { failoverHistory } from "../../../packages/controller/src/leader/testing/failover-history.ts";
import { serveCalls } from "./child.ts";

export interface FailoverReport {
  readonly histories: number;
  readonly violations: readonly string[];
  readonly sent: number;
  readonly fenced: number;
  readonly pauses: number;
  readonly jumps: number;
  readonly failoverMs: number;
}

/** Plays every `step`th seed from `first` to `last`, until the time is over. */
async function play({
  first,
  last,
  step,
  forMs,
}: {
  readonly first: number;
  readonly last: number;
  readonly step: number;
  readonly forMs: number;
}): Promise<FailoverReport> {
  const endMs = performance.now() + forMs;
  const total = { histories: 0, sent: 0, fenced: 0, pauses: 0, jumps: 0, failoverMs: 0 };
  const violations: string[] = [];
  for (let seed = first; seed <= last && performance.now() < endMs; seed += step) {
    const { counts, failoverMs, violations: found } = await failoverHistory(seed, { chaosMs: 90_000, pauseMaxMs: 60_000 });
    total.histories++;
    total.sent += counts.sent;
    total.fenced += counts.fenced;
    total.pauses += counts.pauses;
    total.jumps += counts.jumps;
    total.failoverMs = Math.max(total.failoverMs, failoverMs);
    violations.push(...found.map((violation) => `seed ${seed}: ${violation}`));
  }
  return { ...total, violations };
}

serveCalls({ play });
