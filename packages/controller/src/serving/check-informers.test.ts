import { ConfigMap } from "@drover/api/core/v1";
import { ScriptedApi } from "@drover/cache/testing";
import { statusResponse } from "@drover/client/testing";
import { newForbidden } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { expect, it } from "vitest";
import { createCluster } from "@drover/cache";
import { checkInformers } from "./check-informers.ts";

function rig(name = "", reflector = {}) {
  const runtime = testRuntime();
  const api = new ScriptedApi({ clock: runtime.clock, random: runtime.random });
  const cluster = createCluster({
    runtime,
    name,
    transport: api.transport,
    namespace: "shop",
    informers: { audit: false, informer: { reflector } },
  });
  const check = (): void => checkInformers({ clusters: () => [cluster], silenceMs: 300_000 });
  return { clock: runtime.clock, api, cluster, check };
}

it("checkInformers passes without informers, and if all informers in use have synced", async () => {
  const { clock, cluster, check } = rig();
  expect(check).not.toThrow();
  const held = cluster.informers.acquire(ConfigMap);
  expect(check).toThrow(/configmaps.* has not synced/);
  const stop = new AbortController();
  const over = cluster.run(stop.signal);
  await clock.advance(600_000);
  expect(check).not.toThrow();
  stop.abort();
  await over;
  expect(check).toThrow(/configmaps.* has stopped/);
  held.release();
  expect(check).not.toThrow();
});

it("checkInformers names cluster, informer and reason", async () => {
  const { clock, api, cluster, check } = rig("east");
  cluster.informers.acquire(ConfigMap);
  api.fault(() => statusResponse(newForbidden({ group: "", resource: "configmaps" }, "", "not you")), { times: Infinity });
  void cluster.run(new AbortController().signal);
  await clock.settle();
  expect(check).toThrow(/^east: configmaps.* has not synced: .*forbidden/);
});

it("checkInformers fails when the server is silent for too long (D15, W1)", async () => {
  const { clock, api, cluster, check } = rig();
  cluster.informers.acquire(ConfigMap);
  void cluster.run(new AbortController().signal);
  await clock.advance(60_000);
  api.fault(() => "hang", { times: Infinity });
  api.halfOpen();
  await clock.advance(240_000);
  expect(check).not.toThrow();
  await clock.advance(120_000);
  expect(check).toThrow(/configmaps.* has heard nothing from the server for 3\d{5} ms/);
});
