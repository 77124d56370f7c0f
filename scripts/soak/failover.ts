/**
 * Row 9: no write by a replica that does not hold the lease.
 *
 *     npm run soak -- failover --histories 100000        all cores; minutes to hours
 *
 * Each history is a random leader election of two to four replicas on a manual clock: pauses of up to a minute, wall clocks that jump by
 * up to an hour, cut networks, lost answers, kills and restarts, while their work keeps writing through the fence.
 */
import { availableParallelism } from "node:os";
import { startChild } from "./parts/child.ts";
import { countText } from "./parts/durations.ts";
import type { FailoverReport } from "./parts/failover-process.ts";
import { verdictOf } from "./parts/figure.ts";
import type { Measure } from "./parts/figure.ts";

const wholeHistories = 100_000;

export const measure: Measure = async ({ forMs, seed, histories, note }) => {
  const workers = availableParallelism();
  // A number that is asked for is played to its end.
  const limitMs = histories === undefined ? Math.min(180_000, forMs) : Infinity;
  note(
    `failover: ${histories === undefined ? `histories for ${limitMs / 1000} s` : `${countText(histories)} histories`} on ${workers} cores`,
  );
  const children = Array.from({ length: workers }, () => startChild("failover-process.ts"));
  const beganMs = performance.now();
  try {
    const reports = await Promise.all(
      children.map((child, index) =>
        child.call<FailoverReport>("play", {
          first: seed + index,
          last: seed + (histories ?? wholeHistories) - 1,
          step: workers,
          forMs: limitMs,
        }),
      ),
    );
    const sum = (key: "histories" | "sent" | "fenced" | "pauses" | "jumps"): number =>
      reports.reduce((total, report) => total + report[key], 0);
    const violations = reports.flatMap((report) => report.violations);
    for (const violation of violations.slice(0, 10)) note(`failover: ${violation}`);
    const played = sum("histories");
    return [
      {
        row: 9,
        name: "split-brain writes",
        target: "0 in 100,000 failover histories, pauses up to 60 s, clock jumps",
        measured: `${violations.length} in ${countText(played)} histories (${countText(sum("sent"))} writes sent, ${countText(sum("fenced"))} fenced, ${countText(sum("pauses"))} pauses, ${countText(sum("jumps"))} clock jumps), ${((played * 1000) / (performance.now() - beganMs)).toFixed(0)} histories/s`,
        verdict: verdictOf(violations.length === 0, played >= wholeHistories),
        command: `npm run soak -- failover${histories === undefined ? "" : ` --histories ${histories}`}`,
      },
    ];
  } finally {
    await Promise.all(children.map((child) => child.end()));
  }
};
