/**
 * Random sequences of requests, sent to our server and to the real one at once: their answers must be equal, except for
 * what known-differences.ts explains.
 *
 * A failure prints the shortest sequence that shows it; `DROVER_FUZZ_SEEDS=17` or `=100-199` runs other seeds than the
 * default ones. Those are few, in the long mode too: where the real server iterates a map, its first message is random,
 * and more sequences are more likely to hit that.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineWorld } from "./world-definitions.ts";
import { fuzzSequences } from "./fuzz-sequences.ts";
import { story } from "./story.ts";
import { ourTarget } from "../differential/our-server.ts";
import { startRealTarget } from "../differential/real-target.ts";
import { realServerMissing } from "../servers/real-server.ts";

const [from = 1, to = from] = (process.env["DROVER_FUZZ_SEEDS"] ?? "1-30").split("-").map(Number);
const seeds = Array.from({ length: to - from + 1 }, (_, index) => from + index);
const runTimeoutMs = 900_000;

describe("random sequences of requests", () => {
  let real: Awaited<ReturnType<typeof startRealTarget>> | undefined;
  const ours = ourTarget();
  beforeAll(async () => {
    if (realServerMissing !== undefined) return;
    real = await startRealTarget();
    await Promise.all([defineWorld(real), defineWorld(ours)]);
  }, runTimeoutMs);
  afterAll(async () => await real?.stop());

  it(
    `are answered by our server as by the real one: seeds ${from} to ${to}`,
    async ({ skip }) => {
      if (real === undefined) {
        skip(realServerMissing);
        return;
      }
      const findings = await fuzzSequences(seeds, { real, ours });
      expect(findings.map(({ seed, steps, differences }) => story(seed, steps, differences)).join("\n\n")).toBe("");
    },
    runTimeoutMs,
  );
});
