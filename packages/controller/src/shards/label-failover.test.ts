import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { labelHistory } from "./testing/label-history.ts";
import type { LabelHistory, LabelHistoryCounts } from "./testing/label-history.ts";

const size = Math.min(200, Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 25));

describe("shards by label of replicas with late caches on faulty machines and a faulty network", () => {
  it(
    "never let a replica write a key after another has taken it over, and run every key at the end",
    async () => {
      const histories: LabelHistory[] = [];
      const violations: string[] = [];
      for (let seed = 1; seed <= size; seed++) {
        const history = await labelHistory(seed, { chaosMs: 40_000 });
        histories.push(history);
        violations.push(...history.violations.map((violation) => `seed ${seed}: ${violation}`));
      }
      expect(violations.slice(0, 10)).toEqual([]);
      const total = (key: keyof LabelHistoryCounts): number => histories.reduce((sum, { counts }) => sum + counts[key], 0);
      console.info(
        `${size} histories: ${total("moves")} moves, ${total("runs")} runs, ${total("writes")} writes, ${total("handovers")} handovers, ${total("fenced")} fenced, ${total("unknown")} cut off, ${total("pauses")} pauses, ${total("kills")} kills; longest recovery ${Math.max(...histories.map(({ recoveryMs }) => recoveryMs))} ms`,
      );
      for (const key of ["runs", "writes", "fenced", "moves", "handovers", "pauses", "kills"] as const)
        expect([key, total(key) > 0]).toEqual([key, true]);
    },
    60_000 + size * 10_000,
  );
});
