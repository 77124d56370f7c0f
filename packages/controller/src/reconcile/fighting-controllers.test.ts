/** Two controllers that undo each other's writes need no time for that, so a test on a manual clock used to hang. */
import { ConfigMap } from "@drover/api/core/v1";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createCluster } from "@drover/cache";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createController, done, kindSource } from "../index.ts";

async function fight(clock: ManualClock) {
  const runtime = testRuntime({ clock });
  const server = await createApiServer({ runtime, host: nodeHost });
  const cluster = createCluster({ runtime, namespace: "default", transport: server.handle });
  const stop = new AbortController();
  const ends = [cluster.run(stop.signal)];
  let writes = 0;
  for (const name of ["red", "blue"]) {
    const maps = kindSource(ConfigMap, { cluster, request: { namespace: "default" } });
    const controller = createController({
      name,
      cluster,
      reconcile: async ({ key, client }) => {
        const map = maps.informer?.get(key);
        if (map?.metadata.name === "web" && map.data?.["colour"] !== name) {
          writes++;
          await client.patch(ConfigMap, "web", { type: "merge", body: { data: { colour: name } } });
        }
        return done;
      },
    });
    controller.watch(maps);
    ends.push(controller.run(stop.signal));
  }
  await clock.settle();
  await cluster.client.create(ConfigMap, { metadata: { name: "web" }, data: { colour: "none" } });
  return {
    writes: () => writes,
    end: async () => {
      stop.abort();
      await clock.advance(60_000);
      await Promise.all(ends);
      server.close();
    },
  };
}

describe("two controllers that undo each other's writes", () => {
  it.each([
    ["advance", (clock: ManualClock) => clock.advance(1000)],
    ["settle", (clock: ManualClock) => clock.settle()],
    ["runNext", (clock: ManualClock) => clock.runNext()],
  ])("end ManualClock.%s with an error that names both and their key (SEC24)", async (_, call) => {
    const clock = new ManualClock({ turnsMax: 1000 });
    const { writes, end } = await fight(clock);
    await expect(call(clock)).rejects.toThrow(
      /^work went on for 1001 turns while time stood still, which looks like an endless loop; .*default\/web of (red|blue) \(\d+ times\), default\/web of (red|blue) \(\d+ times\)/,
    );
    expect(writes()).toBeGreaterThan(10);
    await end();
  });
});
