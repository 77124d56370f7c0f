import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { added, updated } from "../testing/changes.ts";
import { exportTape, readTape } from "./tape-lines.ts";
import { deployment, seen, shop, shopKey, tapeScene, wrote } from "./testing/tape-scene.ts";
import { why } from "./why.ts";

describe("why", () => {
  it("answers for a key, for a controller, and for an object of a kind in any controller", async () => {
    const { tape, run } = tapeScene();
    await run({ causes: [seen(added(shop(1)))] });
    await run({ controller: "pods" });
    await run({ controller: "quota", key: objectKey("all"), causes: [seen(updated(shop(1), shop(2)), { via: "mapped" })] });
    const asked = (question: Partial<Parameters<typeof why>[1]>): string[] =>
      why(tape, { key: shopKey, ...question }).runs.map((record) => record.run);
    expect([asked({}), asked({ controller: "pods" }), asked({ kind: deployment }), asked({ runsMax: 1 })]).toEqual([
      ["7f#1", "7f#2"],
      ["7f#2"],
      ["7f#1", "7f#3"],
      ["7f#2"],
    ]);
    expect(why(tape, { key: shopKey, kind: deployment, runsMax: 1 })).toMatchObject({
      key: shopKey,
      kind: deployment,
      runCount: 2,
      at: tape.now(),
    });
  });

  it("answers the same from exported lines, with their time", async () => {
    const { tape, run } = tapeScene();
    await run({ causes: [seen(added(shop(1)))], calls: [wrote(shop(2))] });
    await run({ causes: [seen(updated(shop(1), shop(2)))], calls: [wrote(shop(3))] });
    const runs = await readTape(exportTape(tape));
    const { at, ...live } = why(tape, { key: shopKey, kind: deployment });
    expect(why(runs, { key: shopKey, kind: deployment })).toEqual({ ...live, at: at - 1 });
    const inspector = {
      inspect: () => ({
        key: shopKey,
        state: "ready" as const,
        priority: 0,
        ageMs: 0,
        attempts: 0,
        causes: [seen(updated(shop(2), shop(3)))],
        causeCount: 1,
      }),
    };
    expect(why(runs, { key: shopKey, inspector }).pending?.causes).toEqual(why(tape, { key: shopKey, inspector }).pending?.causes);
    expect(why(runs, { key: shopKey, inspector }).pending?.causes).toEqual([
      expect.objectContaining({ writers: [expect.objectContaining({ type: "self", run: "7f#2" })] }),
    ]);
  });

  it("has no pending run without an inspector, or if the queue does not know the key", () => {
    const { tape } = tapeScene();
    expect(why(tape, { key: shopKey })).toEqual({ key: shopKey, at: tape.now(), runs: [], runCount: 0 });
    expect(why(tape, { key: shopKey, inspector: { inspect: () => undefined } })).not.toHaveProperty("pending");
    expect(why([], { key: shopKey })).toEqual({ key: shopKey, at: 0, runs: [], runCount: 0 });
  });
});
