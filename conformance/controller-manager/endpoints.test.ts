/** Endpoints and EndpointSlices on a server: they follow services, pods and nodes. */
import { Endpoints, Namespace, Node, Pod, Service, ServiceAccount } from "@drover/api/core/v1";
import type { ServiceSpec } from "@drover/api/core/v1";
import { EndpointSlice } from "@drover/api/discovery/v1";
import { isNotFound } from "@drover/machinery";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { endpointsController } from "../../packages/controller-manager/src/endpoints/endpoints-controller.ts";
import { endpointSliceController } from "../../packages/controller-manager/src/endpointslice/endpoint-slice-controller.ts";
import { garbageCollectorController } from "../../packages/controller-manager/src/garbage-collector/garbage-collector.ts";
import { serviceAccountController } from "../../packages/controller-manager/src/serviceaccount/service-account-controller.ts";
import { isGone, runControllers } from "../../packages/controller-manager/src/testing/controllers-scene.ts";
import { describeScenes } from "./scene-servers.ts";
import type { RunningControllers, SceneServer } from "../../packages/controller-manager/src/testing/controllers-scene.ts";

describeScenes("Endpoints and EndpointSlices", ({ missing, open }) => {
  let scene: SceneServer;
  let running: RunningControllers | undefined;
  let count = 0;
  let namespace = "";

  const controllers = [garbageCollectorController, serviceAccountController, endpointsController, endpointSliceController];
  beforeAll(async () => {
    if (missing !== undefined) return;
    scene = await open();
    for (const [name, zone] of [
      ["node-1", "east"],
      ["node-2", "west"],
    ] as const)
      await scene.client.create(Node, { metadata: { name, labels: { "topology.kubernetes.io/zone": zone } } });
    running = runControllers(scene, { controllers });
  }, 90_000);
  afterAll(async () => {
    if (running === undefined) return;
    await running.end();
    await scene.close();
  }, 30_000);
  beforeEach(async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    namespace = `ep-${++count}`;
    await scene.client.create(Namespace, { metadata: { name: namespace } });
    await scene.until(
      "the default service account is there",
      async () => !(await isGone(scene.client, ServiceAccount, "default", namespace)),
    );
  });

  const serve = async (name: string, spec: ServiceSpec = {}): Promise<Service> =>
    scene.client.create(
      Service,
      { metadata: { name }, spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: "http" }], ...spec } },
      { namespace },
    );
  const makePod = async (name: string, nodeName = "node-1"): Promise<void> => {
    await scene.client.create(
      Pod,
      {
        metadata: { name, labels: { app: "web" } },
        spec: { nodeName, containers: [{ name: "web", image: "web", ports: [{ name: "http", containerPort: 8080 }] }] },
      },
      { namespace },
    );
  };
  const report = async (name: string, podIP: string, isReady: boolean): Promise<void> => {
    const pod = await scene.client.get(Pod, name, { namespace });
    await scene.client.resource(Pod).status.update(
      {
        ...pod,
        status: {
          ...pod.status,
          phase: "Running",
          podIP,
          podIPs: [{ ip: podIP }],
          conditions: [{ type: "Ready", status: isReady ? "True" : "False" }],
        },
      },
      { namespace },
    );
  };
  /** "10.0.0.1:8080", with a question mark for addresses that are not ready. */
  const endpoints = async (name: string): Promise<string> => {
    try {
      const { subsets = [] } = await scene.client.get(Endpoints, name, { namespace });
      return subsets
        .flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }) => [
          ...addresses.map(({ ip }) => `${ip}:${ports[0]?.port}`),
          ...notReadyAddresses.map(({ ip }) => `${ip}:${ports[0]?.port}?`),
        ])
        .join(" ");
    } catch (error) {
      if (isNotFound(error)) return "none";
      throw error;
    }
  };
  const slices = async (name: string): Promise<readonly EndpointSlice[]> =>
    (await scene.client.list(EndpointSlice, { namespace, labelSelector: `kubernetes.io/service-name=${name}` })).items.map((slice) => ({
      ...slice,
      endpoints: slice.endpoints ?? [],
      ports: slice.ports ?? [],
    }));
  const sliced = async (name: string): Promise<string> =>
    (await slices(name))
      .flatMap(({ endpoints: all = [], ports = [] }) =>
        all.map(
          ({ addresses, conditions, zone }) => `${addresses.join()}:${ports[0]?.port}@${zone}${conditions?.ready === true ? "" : "?"}`,
        ),
      )
      .toSorted()
      .join(" ");
  const are = (name: string, expected: string, expectedSlices: string): Promise<void> =>
    scene.until(
      `the endpoints of ${name} are ${expected}, sliced ${expectedSlices}`,
      async () => (await endpoints(name)) === expected && (await sliced(name)) === expectedSlices,
    );

  it("follow pods that become ready, become unready, and are deleted", async () => {
    await serve("web");
    await are("web", "", "");
    await makePod("a");
    await makePod("b", "node-2");
    await report("a", "10.0.0.1", true);
    await report("b", "10.0.0.2", false);
    await are("web", "10.0.0.1:8080 10.0.0.2:8080?", "10.0.0.1:8080@east 10.0.0.2:8080@west?");
    await report("b", "10.0.0.2", true);
    await are("web", "10.0.0.1:8080 10.0.0.2:8080", "10.0.0.1:8080@east 10.0.0.2:8080@west");
    await scene.client.delete(Pod, "a", { namespace });
    await are("web", "10.0.0.2:8080", "10.0.0.1:8080@east? 10.0.0.2:8080@west");
    await scene.client.delete(Pod, "a", { namespace, gracePeriodSeconds: 0 });
    await are("web", "10.0.0.2:8080", "10.0.0.2:8080@west");
    const [slice] = await slices("web");
    expect(slice?.metadata.labels?.["endpointslice.kubernetes.io/managed-by"]).toBe("endpointslice-controller.k8s.io");
    expect(await slices("web")).toHaveLength(1);
  });

  it("S038: are re-created when they are deleted, and repaired when they are changed", async () => {
    await serve("web");
    await makePod("a");
    await report("a", "10.0.0.1", true);
    await are("web", "10.0.0.1:8080", "10.0.0.1:8080@east");
    await scene.client.delete(Endpoints, "web", { namespace });
    const [slice] = await slices("web");
    await scene.client.patch(EndpointSlice, slice?.metadata.name ?? "", { type: "merge", body: { endpoints: [] } }, { namespace });
    await are("web", "10.0.0.1:8080", "10.0.0.1:8080@east");
    await scene.client.delete(EndpointSlice, slice?.metadata.name ?? "", { namespace });
    await are("web", "10.0.0.1:8080", "10.0.0.1:8080@east");
  });

  it("E034, S003: are deleted with their service", async () => {
    await serve("web", { clusterIP: "None" });
    await makePod("a");
    await report("a", "10.0.0.1", true);
    await are("web", "10.0.0.1:8080", "10.0.0.1:8080@east");
    expect((await scene.client.get(Endpoints, "web", { namespace })).metadata.labels?.["service.kubernetes.io/headless"]).toBe("");
    await scene.client.delete(Service, "web", { namespace });
    await scene.until("everything is gone", async () => (await endpoints("web")) === "none" && (await slices("web")).length === 0);
  });

  it("E001: of a service without a selector are left to their creator", async () => {
    await scene.client.create(Service, { metadata: { name: "own" }, spec: { ports: [{ port: 80 }] } }, { namespace });
    await scene.client.create(
      Endpoints,
      { metadata: { name: "own" }, subsets: [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ port: 1 }] }] },
      { namespace },
    );
    await scene.calm(2000);
    expect(await endpoints("own")).toBe("192.0.2.1:1");
  });

  it("S001: are not created for services without a selector, of type ExternalName or being deleted", async () => {
    const ports = [{ port: 80 }];
    const selector = { app: "web" };
    const externalName = "web.example.com";
    const others: Readonly<Record<string, ServiceSpec>> = {
      plain: { ports },
      "name-0": { type: "ExternalName", externalName },
      "name-1": { type: "ExternalName", externalName, ports },
      "name-2": { type: "ExternalName", externalName, selector },
      "name-3": { type: "ExternalName", externalName, selector, ports },
    };
    for (const [name, spec] of Object.entries(others)) await scene.client.create(Service, { metadata: { name }, spec }, { namespace });
    await scene.client.create(Service, { metadata: { name: "going", finalizers: ["example.com/held"] }, spec: { ports } }, { namespace });
    await scene.client.delete(Service, "going", { namespace });
    await scene.client.patch(Service, "going", { type: "merge", body: { spec: { selector } } }, { namespace });
    await makePod("a");
    await report("a", "10.0.0.1", true);
    await serve("web");
    await are("web", "10.0.0.1:8080", "10.0.0.1:8080@east");
    await scene.calm(2000);
    expect(
      (await scene.client.list(EndpointSlice, { namespace })).items.map(({ metadata }) => metadata.labels?.["kubernetes.io/service-name"]),
    ).toEqual(["web"]);
    for (const name of Object.keys(others)) expect(await endpoints(name)).toBe("none");
    await scene.client.patch(Service, "going", { type: "merge", body: { metadata: { finalizers: null } } }, { namespace });
  });

  it("S007: a slice whose managed-by label changes is replaced, and one that gets it back is surplus", async () => {
    await serve("web");
    await makePod("a");
    await report("a", "10.0.0.1", true);
    await are("web", "10.0.0.1:8080", "10.0.0.1:8080@east");
    const [slice] = await slices("web");
    const giveTo = (manager: string): Promise<unknown> =>
      scene.client.patch(
        EndpointSlice,
        slice?.metadata.name ?? "",
        { type: "merge", body: { metadata: { labels: { "endpointslice.kubernetes.io/managed-by": manager } } } },
        { namespace },
      );
    await giveTo("somebody.example.com");
    await scene.until("there is another one", async () => (await slices("web")).length === 2);
    await giveTo("endpointslice-controller.k8s.io");
    await are("web", "10.0.0.1:8080", "10.0.0.1:8080@east");
    await scene.calm(1000);
    expect(await slices("web")).toHaveLength(1);
  });

  it("S004: are those of selected pods, and follow a pod into another service and a node into another zone", async () => {
    await serve("web");
    await serve("db", { selector: { app: "db" } });
    await scene.client.create(Node, { metadata: { name: `${namespace}-node`, labels: { "topology.kubernetes.io/zone": "north" } } });
    await makePod("a", `${namespace}-node`);
    await report("a", "10.0.0.1", true);
    await are("web", "10.0.0.1:8080", "10.0.0.1:8080@north");
    await scene.client.patch(Node, `${namespace}-node`, {
      type: "merge",
      body: { metadata: { labels: { "topology.kubernetes.io/zone": "south" } } },
    });
    await are("web", "10.0.0.1:8080", "10.0.0.1:8080@south");
    await scene.client.patch(Pod, "a", { type: "merge", body: { metadata: { labels: { app: "db" } } } }, { namespace });
    await are("web", "", "");
    await are("db", "10.0.0.1:8080", "10.0.0.1:8080@south");
  });

  it("S028: a pod on an unknown node is added with its node", async () => {
    await serve("web");
    await makePod("a", `${namespace}-late`);
    await report("a", "10.0.0.1", true);
    await scene.until("the endpoints are there", async () => (await endpoints("web")) === "10.0.0.1:8080");
    expect(await sliced("web")).toBe("");
    await scene.client.create(Node, { metadata: { name: `${namespace}-late` } });
    await are("web", "10.0.0.1:8080", "10.0.0.1:8080@undefined");
  });

  it("E006: of services deleted while the controller was down are deleted at the start, but not a leader election lock", async () => {
    await running?.end();
    await scene.client.create(Endpoints, { metadata: { name: "left" } }, { namespace });
    await scene.client.create(
      Endpoints,
      { metadata: { name: "lock", annotations: { "control-plane.alpha.kubernetes.io/leader": "{}" } } },
      { namespace },
    );
    running = runControllers(scene, { controllers });
    await scene.until("what was left is gone", async () => (await endpoints("left")) === "none");
    await scene.calm(1000);
    expect(await endpoints("lock")).toBe("");
  });

  it("120 pods are two slices, and one more ready pod is one write", { timeout: 60_000 }, async () => {
    await serve("web");
    const names = Array.from({ length: 120 }, (_, index) => `pod-${index}`);
    for (const [index, name] of names.entries()) {
      await makePod(name);
      await report(name, `10.0.1.${index + 1}`, true);
    }
    const sizes = async (): Promise<string> =>
      (await slices("web"))
        .map(({ endpoints: all = [] }) => all.length)
        .toSorted((a, b) => b - a)
        .join();
    const total = async (): Promise<number> => (await slices("web")).reduce((sum, { endpoints: all = [] }) => sum + all.length, 0);
    await scene.until(
      "all of them are endpoints",
      async () => (await total()) === 120 && (await endpoints("web")).split(" ").length === 120,
    );
    expect(await sizes()).toBe("100,20");
    const before = new Map((await slices("web")).map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
    await report("pod-7", "10.0.1.8", false);
    await scene.until("it is not ready", async () => (await sliced("web")).includes("10.0.1.8:8080@east?"));
    await scene.calm(1000);
    expect((await slices("web")).filter(({ metadata }) => before.get(metadata.name) !== metadata.resourceVersion)).toHaveLength(1);
  });
});
