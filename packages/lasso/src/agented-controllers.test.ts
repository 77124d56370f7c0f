import { ConfigMap } from "@drover/api/core/v1";
import type { HttpRequest } from "@drover/machinery";
import { describe, expect, it, onTestFinished } from "vitest";
import { createCluster } from "@drover/cache";
import { newSharedControllerFactoryWithAgent, newSharedControllerWithAgent } from "./agented-controllers.ts";
import { newSharedCacheFactory } from "./shared-cache-factory.ts";
import { newSharedClientFactory } from "./shared-client-factory.ts";
import { newSharedControllerFactory } from "./shared-controller-factory.ts";
import { fixedMapper } from "./testing/fixed-mapper.ts";
import { lassoRig } from "./testing/lasso-rig.ts";

const resource = { group: "", version: "v1", resource: "configmaps" };

function stage() {
  const rig = lassoRig();
  const requests: HttpRequest[] = [];
  const cluster = createCluster({
    runtime: rig.runtime,
    namespace: "default",
    transport: (request) => (requests.push(request), rig.cluster.transport(request)),
  });
  const clients = newSharedClientFactory({ cluster }, { mapper: fixedMapper(ConfigMap) });
  const factory = newSharedControllerFactory(newSharedCacheFactory(clients));
  return { ...rig, clients, factory, agents: () => requests.map(({ headers }) => headers["user-agent"]) };
}

describe("newSharedControllerFactoryWithAgent and newSharedControllerWithAgent", () => {
  it("have clients with the user agent, from every method, and leave the original unchanged (§3.6)", async () => {
    const { clients, factory, agents } = stage();
    const agented = newSharedControllerFactoryWithAgent("fleet/1.2", factory);
    const controllers = [
      agented.forObject(ConfigMap),
      await agented.forKind(ConfigMap),
      await agented.forResource(resource, true),
      agented.forResourceKind(resource, "ConfigMap", true),
      newSharedControllerWithAgent("gitjob/3", factory.forObject(ConfigMap), clients),
      factory.forObject(ConfigMap),
    ];
    for (const controller of controllers) await controller.client().list("shop");
    expect(agents()).toEqual(["fleet/1.2", "fleet/1.2", "fleet/1.2", "fleet/1.2", "gitjob/3", undefined]);
  });

  it("share handlers, queue and cache with the original", async () => {
    const { factory, configMaps, inTime, asked, runtime } = stage();
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const agented = newSharedControllerFactoryWithAgent("fleet/1.2", factory);
    const ran: string[] = [];
    configMaps.put({ metadata: { namespace: "shop", name: "web" } });
    const controller = agented.forObject(ConfigMap);
    controller.registerHandler(stop.signal, "a", (key) => void ran.push(`a ${key}`));
    factory.forObject(ConfigMap).registerHandler(stop.signal, "b", (key) => void ran.push(`b ${key}`));
    await inTime(agented.start(stop.signal));
    expect([ran.splice(0), asked(), controller.informer() === factory.forObject(ConfigMap).informer()]).toEqual([
      ["a shop/web", "b shop/web"],
      ["watch configmaps"],
      true,
    ]);
    controller.enqueue("shop", "one");
    controller.enqueueKey("shop/two");
    controller.enqueueAfter("shop", "three", 5000);
    await runtime.clock.advance(5000);
    expect(ran.filter((line) => line.startsWith("a"))).toEqual(["a shop/one", "a shop/two", "a shop/three"]);
    expect([agented.name, agented.needs]).toEqual([
      "lasso",
      [{ group: "", resource: "configmaps", verbs: ["list", "watch"], cluster: "" }],
    ]);
    await controller.start(stop.signal, 1);
    stop.abort();
    await runtime.clock.advance(1000);
    await Promise.all([agented.ended(), controller.ended()]);
  });
});
