import { ConfigMap } from "@drover/api/core/v1";
import type { TransportWrapper } from "@drover/client";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import type { Script } from "@drover/client/testing";
import { newNotFound } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { FencedError, isFenced } from "../leader/fenced-error.ts";
import type { Fence } from "../leader/fence.ts";
import { failedCallOf } from "./failed-call.ts";
import type { ReconcileContext, Reconciler } from "./reconciler.ts";
import { done } from "./result.ts";
import { controllerRig, keyOf } from "./testing/controller-rig.ts";
import type { ControllerRig } from "./testing/controller-rig.ts";
import { testTape } from "./testing/test-tape.ts";

const configMap: ConfigMap = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "shop", name: "web", uid: "u1", resourceVersion: "7" },
};

async function ran(
  reconcile: Reconciler,
  script: Script,
  options: { readonly fence?: Fence; readonly through?: readonly TransportWrapper[] } = {},
): Promise<{ readonly rig: ControllerRig; readonly tape: ReturnType<typeof testTape> }> {
  const tape = testTape();
  const rig = controllerRig({ reconcile, script, tape, clusterOptions: { fieldManager: "web operator" }, ...options });
  rig.controller.enqueue(keyOf("shop/web"));
  await rig.start();
  await rig.clock.advance(1);
  return { rig, tape };
}

describe("runClient", () => {
  it("is created on first access, once", async () => {
    let context: ReconcileContext | undefined;
    await ran((run) => {
      context = run;
      return done;
    }, []);
    expect(context?.client === context?.client).toBe(true);
  });

  it("records every call on the tape: method, path without query, times, status, server message, what it wrote and the field manager", async () => {
    const { tape } = await ran(
      async ({ client }) => {
        await client.get(ConfigMap, "none").catch(() => undefined);
        await client.update(ConfigMap, configMap);
        await client.get(ConfigMap, "lost").catch(() => undefined);
        await client.delete(ConfigMap, "web");
        return done;
      },
      [
        statusResponse(newNotFound({ group: "", resource: "configmaps" }, "none")),
        jsonResponse({ ...configMap, metadata: { ...configMap.metadata, resourceVersion: "8" } }),
        new Error("the connection was refused"),
        jsonResponse({ kind: "Status", status: "Success", details: { uid: "u1" } }),
      ],
    );
    const path = "/api/v1/namespaces/shop/configmaps";
    expect(tape.records.map(({ calls, result }) => [calls.map(({ atMs: _at, tookMs: _took, ...call }) => call), result])).toEqual([
      [
        [
          { method: "GET", path: `${path}/none`, status: 404, error: 'configmaps "none" not found' },
          { method: "PUT", path: `${path}/web`, status: 200, wrote: { uid: "u1", resourceVersion: "8", manager: "web operator" } },
          { method: "GET", path: `${path}/lost`, error: expect.stringContaining("the connection was refused") as string },
          { method: "DELETE", path: `${path}/web`, status: 200, wrote: { uid: "u1", resourceVersion: "" } },
        ],
        { type: "done" },
      ],
    ]);
  });

  it("marks the errors of calls with the run, also of calls that are not awaited", async () => {
    let failure: unknown;
    await ran(
      ({ client }) => {
        void client.get(ConfigMap, "none").catch((error: unknown) => (failure = error));
        return done;
      },
      [statusResponse(newNotFound({ group: "", resource: "configmaps" }, "none"))],
    );
    await Promise.resolve();
    expect(failedCallOf(failure)).toMatchObject({ key: "shop/web" });
  });

  it("sends requests through the controller's wrappers before the fence: a user agent, a rate limit", async () => {
    const order: string[] = [];
    const passing =
      (name: string): TransportWrapper =>
      (next) =>
      (request) => {
        order.push(name);
        return next(request);
      };
    const fence: Fence = { lease: "shop/web", isOpen: true, token: undefined, wrapper: passing("fence") };
    await ran(
      async ({ client }) => {
        await client.get(ConfigMap, "web");
        return done;
      },
      [jsonResponse(configMap)],
      { fence, through: [passing("first"), passing("second")] },
    );
    expect(order).toEqual(["first", "second", "fence"]);
  });

  it("rejects every call after the run has ended, and sends nothing", async () => {
    let context: ReconcileContext | undefined;
    const { rig } = await ran(
      (run) => {
        context = run;
        return done;
      },
      [jsonResponse(configMap)],
    );
    await expect(context?.client.get(ConfigMap, "web")).rejects.toThrow(/request not sent: run \S+ of controller web has ended/);
    expect(rig.server.requests).toEqual([]);
    await rig.stop();
  });

  it("aborts a call with its own signal as well", async () => {
    const own = new AbortController();
    let failure: unknown;
    const { rig } = await ran(
      async ({ client }) => {
        await client.get(ConfigMap, "web", { signal: own.signal }).catch((error: unknown) => {
          failure = error;
        });
        return done;
      },
      () => new Promise(() => undefined),
    );
    own.abort(new Error("enough"));
    await rig.clock.settle();
    expect(failure).toEqual(new Error("enough"));
    await rig.stop();
  });

  it("sends writes through the fence, and reads past it", async () => {
    const lost = new FencedError({ lease: "kube-system/web", sinceMs: undefined, why: "test" });
    const fence: Fence = {
      lease: "kube-system/web",
      isOpen: false,
      token: undefined,
      wrapper: (next) => (request) => (request.method === "GET" ? next(request) : Promise.reject(lost)),
    };
    let failure: unknown;
    const { rig } = await ran(
      async ({ client }) => {
        await client.get(ConfigMap, "web");
        await client.update(ConfigMap, configMap).catch((error: unknown) => {
          failure = error;
        });
        return done;
      },
      [jsonResponse(configMap)],
      { fence },
    );
    expect([isFenced(failure), rig.server.requests.map(({ method }) => method)]).toEqual([true, ["GET"]]);
    await rig.stop();
  });
});
