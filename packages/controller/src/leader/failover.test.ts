import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failoverHistory } from "./testing/failover-history.ts";
import type { FailoverHistory, HistoryCounts } from "./testing/failover-history.ts";

// In four parts, so that none takes long.
const size = Math.min(2500, Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 4));
const parts: readonly number[] = [0, 1, 2, 3];

describe("leader election among replicas on faulty machines and a faulty network", () => {
  it.each(parts)(
    "D1, D4, D7: never lets two write, finds a leader within its bounds, and sooner when the last one stops cleanly (part %i) (§9.26)",
    async (part) => {
      const histories: FailoverHistory[] = [];
      const violations: string[] = [];
      for (let seed = part * size + 1; seed <= (part + 1) * size; seed++) {
        const history = await failoverHistory(seed);
        histories.push(history);
        violations.push(...history.violations.map((violation) => `seed ${seed}: ${violation}`));
      }
      expect(violations.slice(0, 10)).toEqual([]);
      const total = (key: keyof HistoryCounts): number => histories.reduce((sum, { counts }) => sum + counts[key], 0);
      const longest = (key: "recoveryMs" | "failoverMs" | "handoverMs"): number =>
        histories.reduce((most, history) => Math.max(most, history[key]), 0);
      console.info(
        `${size} histories: ${total("terms")} terms, ${total("sent")} writes sent, ${total("fenced")} fenced, ${total("unknown")} cut off, ${total("pauses")} pauses, ${total("kills")} kills, ${total("releases")} releases;`,
        `longest recovery ${longest("recoveryMs")} ms, failover ${longest("failoverMs")} ms, handover ${longest("handoverMs")} ms`,
      );
      // 15 s on the slowest clock, one delay of a candidate (2.2 × 2 s) before it sees the last renewal and one after, and the requests.
      expect(longest("failoverMs")).toBeLessThanOrEqual(15_000 / 0.98 + (2 * 4400) / 0.98 + 500);
      // The work takes 3 s to end and 4.5 s to get the response to its last write; then one delay of a candidate, and the requests.
      expect(longest("handoverMs")).toBeLessThanOrEqual(7500 / 0.98 + 4400 / 0.98 + 500);
      for (const key of ["terms", "sent", "fenced", "unknown", "pauses", "kills", "releases"] as const)
        expect(total(key), key).toBeGreaterThan(size / 10);
    },
  );
});
