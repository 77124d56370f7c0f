import { describe, expect, it } from "vitest";
import { Group } from "../runtime/group.ts";
import { prometheusText } from "../runtime/prometheus-text.ts";
import { pick } from "../runtime/random.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { sleep } from "../runtime/wait.ts";
import { testRuntime } from "./test-runtime.ts";

/** Three workers that wait at random, make objects with random names, and log and count what they do. */
async function work({ clock, random, uid, log, metrics }: Runtime, signal: AbortSignal): Promise<void> {
  const made = metrics.counter({ name: "made_total", help: "Objects made.", labels: ["worker"] });
  const group = new Group({ signal });
  for (const worker of ["a", "b", "c"]) {
    const chance = random.stream(worker);
    group.spawn(worker, async () => {
      for (let turn = 0; turn < 20; turn++) {
        await sleep(clock, chance.int(1000), { signal });
        made.add(1, { worker });
        log.info("made", { worker, uid: uid(), color: pick(chance, ["red", "green", "blue"]) });
      }
    });
  }
  await group.done();
}

async function run(seed: number): Promise<string> {
  const runtime = testRuntime({ seed });
  const over = work(runtime, new AbortController().signal);
  await runtime.clock.runAll();
  await over;
  return [...runtime.log.lines, prometheusText(runtime.metrics)].join("\n");
}

describe("testRuntime", () => {
  it("makes a run a function of its seed: the same seed, the same bytes; another seed, another run", async () => {
    const first = await run(7);
    expect(first.split("\n").length).toBeGreaterThan(60);
    expect(await run(7)).toBe(first);
    expect(await run(8)).not.toBe(first);
  });
});
