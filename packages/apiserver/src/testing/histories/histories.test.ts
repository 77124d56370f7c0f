import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodeHost } from "../../http/node-host.ts";
import { runHistories } from "./history-batch.ts";
import { historyPlan } from "./history-plan.ts";
import { HistoryServer } from "./history-server.ts";
import type { History } from "./history.ts";
import { tellHistory } from "./tell-history.ts";

const isLong = process.env["DROVER_LONG"] === "1";
/** One history takes a few hundredths of a second. */
const count = isLong ? Math.min(10_000, Math.ceil(0.3 * (fc.readConfigureGlobal().numRuns ?? 100_000))) : 50;
const shortCount = isLong ? 10_000 : 100;
/** Too rare for a small number of histories. */
const rare: readonly string[] = count >= 1000 ? [] : ["a watch falls behind while it is on"];
const firstSeed = Number(process.env["DROVER_SEED"] ?? 20);
const timeout = 600_000;

/** Removes times, and uids, which depend on everything that ran before. */
const storyOf = (history: History): string => tellHistory(history).replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, "");

describe("random histories of the API server", () => {
  it(
    `satisfy all watch and object guarantees: ${count} of them, from seed ${firstSeed} on`,
    async () => {
      const { story, missing } = await runHistories(new HistoryServer(nodeHost), { firstSeed, count });
      expect(story).toBeUndefined();
      expect(missing.filter((name) => !rare.includes(name))).toEqual([]);
    },
    timeout,
  );

  it(
    `satisfy them after few steps: ${shortCount} short histories`,
    async () => {
      const { story } = await runHistories(new HistoryServer(nodeHost), { firstSeed, count: shortCount, length: "short" });
      expect(story).toBeUndefined();
    },
    timeout,
  );

  it(
    "are equal for the same seed, whatever ran before",
    async () => {
      const server = new HistoryServer(nodeHost);
      for (const seed of [3, 4, 5]) {
        const first = await new HistoryServer(nodeHost).run(historyPlan(seed));
        expect(storyOf(await server.run(historyPlan(seed)))).toBe(storyOf(first));
      }
    },
    timeout,
  );
});
