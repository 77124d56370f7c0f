import { ConfigMap, Pod } from "@drover/api/core/v1";
import type { TransportWrapper } from "@drover/client";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import { done, kindSource } from "@drover/controller";
import { newFailure } from "@drover/machinery";
import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { ControllerDescriptor } from "./host/controller-descriptor.ts";
import { createControllerManager } from "./controller-manager.ts";
import type { ControllerManagerOptions } from "./controller-manager.ts";
import { controllerSettings } from "./host/controller-settings.ts";
import { eventRecorder } from "./host/event-recorder.ts";
import { sharedInformer } from "./host/shared-informer.ts";

interface Stage {
  readonly clock: ManualClock;
  readonly requests: readonly HttpRequest[];
  readonly manager: ReturnType<typeof createControllerManager>;
  readonly stop: () => Promise<void>;
}

/** A server without objects: lists are empty, watches stay silent, writes succeed. */
function stage(options: Partial<ControllerManagerOptions> = {}): Stage {
  const clock = new ManualClock();
  const requests: HttpRequest[] = [];
  const transport = (request: HttpRequest): Promise<HttpResponse> => {
    if (request.path.includes("sendInitialEvents"))
      return Promise.resolve(statusResponse(newFailure(422, "Invalid", "sendInitialEvents: Forbidden")));
    requests.push(request);
    if (request.path.includes("watch="))
      return new Promise((_resolve, reject) => request.signal?.addEventListener("abort", () => reject(request.signal?.reason as Error)));
    return Promise.resolve(
      request.method === "GET"
        ? jsonResponse({ kind: "List", apiVersion: "v1", metadata: { resourceVersion: "1" }, items: [] })
        : jsonResponse({ ...(JSON.parse(request.body as string) as object) }, { status: 201 }),
    );
  };
  const manager = createControllerManager({
    runtime: testRuntime({ clock }),
    transport,
    permissions: "off",
    informers: { audit: false },
    ...options,
  });
  const ending = new AbortController();
  const running = manager.run(ending.signal);
  return {
    clock,
    requests,
    manager,
    stop: async () => {
      ending.abort(new Error("enough"));
      await clock.advance(60_000);
      await running;
    },
  };
}

/** Reconciles each key by writing many ConfigMaps. */
const busy = (writes: number): ControllerDescriptor => ({
  name: "busy-controller",
  aliases: ["busy"],
  add: (context) => {
    const { manager } = context;
    sharedInformer(manager.cluster, Pod);
    const controller = manager.controller({
      ...controllerSettings(context, "busy-controller"),
      reconcile: async ({ client }) => {
        for (let count = 0; count < writes; count++) await client.create(ConfigMap, { metadata: { name: `c${count}` } });
        eventRecorder(context, "busy-controller").eventf({
          regarding: { apiVersion: "v1", kind: "ConfigMap", name: "c" },
          type: "Normal",
          reason: "Busy",
          action: "Write",
          note: "wrote",
        });
        return done;
      },
    });
    controller.watch(kindSource(Pod, { cluster: manager.cluster, writers: false }));
    controller.enqueue("shop/web" as Parameters<typeof controller.enqueue>[0]);
  },
});

const writesOf = ({ requests }: Stage): number =>
  requests.filter(({ method, path }) => method === "POST" && path.includes("/configmaps")).length;

describe("createControllerManager", () => {
  it("runs the listed controllers and rejects an unknown name before it sends a request", async () => {
    const here = stage({ controllers: ["*", "-deployment"] });
    expect(here.manager.controllers).not.toContain("deployment-controller");
    expect(here.manager.controllers).toContain("replicaset-controller");
    await here.stop();
    expect(() => stage({ controllers: ["deploymnet"] })).toThrow('unknown controller "deploymnet"');
  });

  it("uses one informer per kind for all controllers", async () => {
    const here = stage({ controllers: ["deployment", "replicaset"] });
    await here.clock.advance(1000);
    const lists = here.requests
      .filter(({ method, path }) => method === "GET" && !path.includes("watch="))
      .map(({ path }) => path.replace(/\?.*$/, ""));
    expect(lists.toSorted()).toEqual(["/api/v1/pods", "/apis/apps/v1/deployments", "/apis/apps/v1/replicasets"]);
    await here.stop();
  });

  it("lets a controller authenticate as its service account, and informers and Events as the manager", async () => {
    const credentials =
      (account: string): TransportWrapper =>
      (next) =>
      (request) =>
        next({ ...request, headers: { ...request.headers, authorization: `Bearer ${account}` } });
    const own = { ...busy(1), name: "other-controller", aliases: [], serviceAccount: "" };
    for (const [known, expected] of [
      [busy(1), "Bearer busy-controller"],
      [{ ...busy(1), serviceAccount: "worker" }, "Bearer worker"],
      [own, undefined],
    ] as const) {
      const here = stage({ known: [known], credentials });
      await here.clock.advance(1000);
      const sent = (method: string, part: string): readonly unknown[] =>
        here.requests
          .filter((request) => request.method === method && request.path.includes(part))
          .map(({ headers }) => headers["authorization"]);
      expect(sent("POST", "/configmaps")).toEqual([expected]);
      expect(new Set([...sent("GET", "/pods"), ...sent("POST", "/events")])).toEqual(new Set([undefined]));
      await here.stop();
    }
  });

  it("sends user agents of the informers, of each controller and of events", async () => {
    const here = stage({ known: [busy(1)], userAgent: "shop-manager" });
    await here.clock.advance(1000);
    const agents = new Set(
      here.requests.map(
        ({ method, path, headers }) => `${method} ${path.replace(/\?.*$/, "").split("/").at(-1)} ${String(headers["user-agent"])}`,
      ),
    );
    expect([...agents].toSorted()).toEqual([
      "GET pods shop-manager/shared-informers",
      "POST configmaps shop-manager/busy-controller",
      "POST events shop-manager/shared-informers",
    ]);
    await here.stop();
  });

  it("limits no requests with preset drover, and those of each controller with preset parity", async () => {
    const [free, limited] = [stage({ known: [busy(100)] }), stage({ known: [busy(100)], preset: "parity" })];
    for (const each of [free, limited]) await each.clock.advance(1000);
    expect(writesOf(free)).toBe(100);
    expect(writesOf(limited)).toBeGreaterThanOrEqual(49);
    expect(writesOf(limited)).toBeLessThanOrEqual(51);
    await limited.clock.advance(3000);
    expect(writesOf(limited)).toBe(100);
    for (const each of [free, limited]) await each.stop();
  });

  it("uses kube-controller-manager's lease for leader election", async () => {
    const here = stage({ known: [busy(1)], leaderElection: { identity: "me" } });
    await here.clock.advance(100);
    expect(here.manager.manager.state().election?.lease).toBe("kube-system/kube-controller-manager");
    await here.stop();
  });
});
