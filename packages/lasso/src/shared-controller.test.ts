import { ConfigMap } from "@drover/api/core/v1";
import { describe, expect, it, onTestFinished } from "vitest";
import { newHandlerTransaction } from "./handler-transaction.ts";
import { newSharedControllerFactoryFromConfig } from "./shared-controller-factory.ts";
import { lassoRig } from "./testing/lasso-rig.ts";

function stage() {
  const rig = lassoRig();
  const controller = newSharedControllerFactoryFromConfig({ cluster: rig.cluster }).forObject(ConfigMap);
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  return { ...rig, controller, stop };
}

describe("SharedController", () => {
  it("starts by itself, with its own cache only, once it is used", async () => {
    const { controller, stop, inTime, asked, configMaps, runtime } = stage();
    configMaps.put({ metadata: { namespace: "shop", name: "web" } });
    await controller.start(stop.signal, 0);
    await controller.ended();
    expect(asked()).toEqual([]);
    const ran: string[] = [];
    controller.registerHandler(stop.signal, "see", (key, object) => void ran.push(`${key} ${object?.metadata.uid !== undefined}`));
    await inTime(controller.start(stop.signal, 0));
    expect([asked(), ran]).toEqual([["watch configmaps"], ["shop/web true"]]);
    stop.abort();
    await runtime.clock.advance(1000);
    await controller.ended();
  });

  it("has a kind, a resource and a client", () => {
    const { controller } = stage();
    expect([controller.kind, controller.resource, controller.client().gvr]).toEqual([
      { group: "", version: "v1", kind: "ConfigMap" },
      { group: "", version: "v1", resource: "configmaps" },
      { group: "", version: "v1", resource: "configmaps" },
    ]);
  });

  it("runs no key again for a handler whose signal has already aborted", async () => {
    const { controller, stop, inTime, configMaps, runtime } = stage();
    configMaps.put({ metadata: { namespace: "shop", name: "web" } });
    let runs = 0;
    controller.registerHandler(stop.signal, "count", () => void runs++);
    await inTime(controller.start(stop.signal, 1));
    controller.registerHandler(AbortSignal.abort(), "never", () => void runs++);
    const transaction = newHandlerTransaction(AbortSignal.abort());
    controller.registerHandler(transaction, "nor this", () => void runs++);
    transaction.commit();
    await runtime.clock.settle();
    expect(runs).toBe(1);
  });

  it("rejects a duplicate name when it is registered, or when the transaction is committed", () => {
    const { controller, stop } = stage();
    controller.registerHandler(stop.signal, "count", () => undefined);
    expect(() => controller.registerHandler(stop.signal, "count", () => undefined)).toThrow(
      "handler count of /v1, Resource=configmaps is already registered",
    );
    const transaction = newHandlerTransaction(stop.signal);
    controller.registerHandler(transaction, "count", () => undefined);
    expect(() => transaction.commit()).toThrow("already registered");
  });
});
