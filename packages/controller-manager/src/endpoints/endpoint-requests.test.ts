/** The requests of the controllers of Endpoints and EndpointSlices: how changes are batched, and what waits for a cache to sync. */
import { Endpoints, Node, Pod, Service } from "@drover/api/core/v1";
import type { ServiceSpec } from "@drover/api/core/v1";
import { EndpointSlice } from "@drover/api/discovery/v1";
import type { TransportWrapper } from "@drover/client";
import { endpointsController, endpointSliceController, newEndpointsController, newEndpointSliceController } from "../index.ts";
import type { ControllerDescriptor } from "../index.ts";
import { prometheusText } from "@drover/machinery";
import type { HttpBody, HttpRequest } from "@drover/machinery";
import { afterEach, describe, expect, it } from "vitest";
import { openManualScene, runControllers } from "../testing/controllers-scene.ts";
import type { RunControllersOptions, RunningControllers, SceneServer } from "../testing/controllers-scene.ts";

/** A transport wrapper between controllers and the server. */
interface Wire {
  readonly wrap: TransportWrapper;
  /** "PUT endpoints", for each write of Endpoints and EndpointSlices, in order. */
  readonly writes: string[];
  /** From now on the server's lists and watches of this resource return nothing, until they are released. */
  readonly hold: (resource: string) => () => void;
}

function newWire(): Wire {
  const writes: string[] = [];
  const held = new Map<string, Promise<void>>();
  const resourceOf = ({ path }: HttpRequest): string =>
    path
      .replace(/\?.*$/, "")
      .replace(/\/namespaces\/[^/]+/, "")
      .split("/")[path.startsWith("/apis/") ? 4 : 3] ?? "";
  async function* gated(body: AsyncIterable<string | Uint8Array>, resource: string): AsyncGenerator<string | Uint8Array> {
    for await (const chunk of body) {
      await held.get(resource);
      yield chunk;
    }
  }
  const isWhole = (body: HttpBody): body is string | Uint8Array => typeof body === "string" || body instanceof Uint8Array;
  return {
    writes,
    wrap: (next) => async (request) => {
      const resource = resourceOf(request);
      if (request.method !== "GET") {
        if (resource.startsWith("endpoint")) writes.push(`${request.method} ${resource}`);
        return await next(request);
      }
      await held.get(resource);
      const { body, ...head } = await next(request);
      return { ...head, body: isWhole(body) ? body : gated(body, resource) };
    },
    hold: (resource) => {
      let release = (): void => undefined;
      held.set(resource, new Promise((resolve) => (release = resolve)));
      return () => {
        held.delete(resource);
        release();
      };
    },
  };
}

interface Stage extends Pick<SceneServer, "client" | "calm" | "runtime"> {
  readonly wire: Wire;
  readonly serve: (spec?: ServiceSpec) => Promise<void>;
  readonly makePod: (name: string, podIP: string) => Promise<void>;
  readonly setAddress: (name: string, podIP: string) => Promise<void>;
  readonly deletePod: (name: string) => Promise<void>;
  readonly slices: () => Promise<readonly EndpointSlice[]>;
}

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** One node and these controllers, on our server; the given wire may already hold a resource. */
async function stage(
  controllers: readonly ControllerDescriptor[],
  { wire = newWire(), preset = "drover" }: { readonly wire?: Wire; readonly preset?: NonNullable<RunControllersOptions["preset"]> } = {},
): Promise<Stage> {
  const scene = await openManualScene();
  const { client, calm, runtime } = scene;
  await client.create(Node, { metadata: { name: "node-1" } });
  const running: RunningControllers = runControllers(scene, { controllers, wrap: wire.wrap, preset });
  ends.push(async () => {
    await running.end();
    await scene.close();
  });
  await calm(1000);
  const setAddress: Stage["setAddress"] = async (name, podIP) => {
    const pod = await client.get(Pod, name);
    await client.resource(Pod).status.update({
      ...pod,
      status: { ...pod.status, phase: "Running", podIP, podIPs: [{ ip: podIP }], conditions: [{ type: "Ready", status: "True" }] },
    });
  };
  return {
    client,
    calm,
    runtime,
    wire,
    setAddress,
    serve: async (spec = {}) => {
      await client.create(Service, { metadata: { name: "web" }, spec: { selector: { app: "web" }, ports: [{ port: 80 }], ...spec } });
      await calm(5000);
    },
    makePod: async (name, podIP) => {
      await client.create(Pod, {
        metadata: { name, labels: { app: "web" } },
        spec: { nodeName: "node-1", containers: [{ name: "web", image: "web:1" }] },
      });
      await setAddress(name, podIP);
    },
    deletePod: async (name) => void (await client.delete(Pod, name, { gracePeriodSeconds: 0 })),
    // Without that of the API server itself.
    slices: async () => (await client.list(EndpointSlice)).items.filter(({ metadata }) => metadata.name !== "kubernetes"),
  };
}

const addresses = (slices: readonly EndpointSlice[]): string =>
  slices
    .flatMap(({ endpoints }) => (endpoints ?? []).flatMap((endpoint) => endpoint.addresses))
    .toSorted()
    .join(" ");

const doings: Readonly<Record<string, (here: Stage, index: number) => Promise<void>>> = {
  adds: (here, index) => here.makePod(`new-${index}`, `10.0.1.${index}`),
  updates: (here, index) => here.setAddress(`pod-${index}`, `10.0.2.${index}`),
  deletes: (here, index) => here.deletePod(`pod-${index}`),
};
const plans = [
  { periodMs: 0, pauseMs: 100, requests: 3 },
  { periodMs: 1000, pauseMs: 100, requests: 1 },
  { periodMs: 1000, pauseMs: 1000, requests: 2 },
] as const;
const cases = Object.entries(doings).flatMap(([what, doIt]) => plans.map((plan) => ({ what, doIt, ...plan })));

describe.each([
  ["E033", "Endpoints", newEndpointsController],
  ["S013", "EndpointSlices", newEndpointSliceController],
] as const)("%s: the batch period of %s", (_, kind, newController) => {
  it.each(cases)("of $periodMs ms turns three $what into $requests requests", async ({ what, doIt, periodMs, pauseMs, requests }) => {
    const here = await stage([newController({ endpointUpdatesBatchPeriodMs: periodMs })]);
    for (const index of [0, 1, 2]) await here.makePod(`pod-${index}`, `10.0.0.${index + 1}`);
    // A server first marks a pod as terminating, which concerns only slices; the three changes are those after it.
    if (what === "deletes" && kind === "EndpointSlices")
      for (const index of [0, 1, 2]) await here.client.delete(Pod, `pod-${index}`, { gracePeriodSeconds: 300 });
    await here.serve();
    here.wire.writes.length = 0;
    await doIt(here, 0);
    await here.calm(100);
    await doIt(here, 1);
    await here.calm(pauseMs);
    await doIt(here, 2);
    await here.calm(3000);
    expect(here.wire.writes).toHaveLength(requests);
  });

  it("begins with the first change, and changes of the service do not wait", async () => {
    const here = await stage([newController({ endpointUpdatesBatchPeriodMs: 60_000 })]);
    await here.client.create(Service, { metadata: { name: "web" }, spec: { selector: { app: "web" }, ports: [{ port: 80 }] } });
    await here.calm(10);
    expect(here.wire.writes).toHaveLength(1);
    // The events of the slice's own write are processed by then.
    await here.calm(60_000);
    await here.makePod("a", "10.0.0.1");
    await here.calm(59_000);
    await here.makePod("b", "10.0.0.2");
    expect(here.wire.writes).toHaveLength(1);
    await here.calm(1000);
    expect(here.wire.writes).toHaveLength(2);
    await here.client.patch(Service, "web", { type: "merge", body: { spec: { ports: [{ port: 80, targetPort: 81 }] } } });
    await here.calm(10);
    expect(here.wire.writes).toHaveLength(3);
  });
});

describe.each([
  ["Endpoints", endpointsController, ["services", "pods", "endpoints"]],
  ["EndpointSlices", endpointSliceController, ["services", "pods", "nodes", "endpointslices"]],
] as const)("E022: the controller of %s", (_, controller, resources) => {
  it.each(resources.map((resource) => [resource]))("works on nothing before the cache of %s is full", async (resource) => {
    const wire = newWire();
    const release = wire.hold(resource);
    const here = await stage([controller], { wire });
    await here.makePod("a", "10.0.0.1");
    await here.serve();
    expect(wire.writes).toEqual([]);
    release();
    await here.calm(5000);
    expect(wire.writes).not.toEqual([]);
  });
});

describe("writes of EndpointSlices", () => {
  it("S014, S038: wait for a cache that is older than the last own write", async () => {
    const here = await stage([endpointSliceController]);
    await here.makePod("a", "10.0.0.1");
    const release = here.wire.hold("endpointslices");
    await here.serve();
    expect(here.wire.writes).toEqual(["POST endpointslices"]);
    await here.makePod("b", "10.0.0.2");
    await here.calm(2000);
    expect(here.wire.writes).toEqual(["POST endpointslices"]);
    release();
    await here.calm(100);
    expect(here.wire.writes).toEqual(["POST endpointslices", "PUT endpointslices"]);
    expect([addresses(await here.slices()), (await here.slices()).length]).toEqual(["10.0.0.1 10.0.0.2", 1]);
  });

  it("S038: are not repeated for own events, follow changes by others, and are forgotten with the service", async () => {
    const here = await stage([endpointSliceController]);
    await here.makePod("a", "10.0.0.1");
    await here.serve();
    expect(here.wire.writes.splice(0)).toEqual(["POST endpointslices"]);
    const [slice] = await here.slices();
    const name = slice?.metadata.name ?? "";
    await here.client.patch(EndpointSlice, name, { type: "merge", body: { endpoints: [] } });
    await here.calm(5000);
    expect(here.wire.writes.splice(0)).toEqual(["PUT endpointslices"]);
    await here.client.delete(EndpointSlice, name);
    await here.calm(5000);
    expect(here.wire.writes.splice(0)).toEqual(["POST endpointslices"]);
    await here.client.delete(Service, "web");
    for (const { metadata } of await here.slices()) await here.client.delete(EndpointSlice, metadata.name ?? "");
    await here.calm(5000);
    expect(here.wire.writes).toEqual([]);
  });

  it.each([
    ["drover", 0, 0],
    ["parity", 0, 1000],
    ["parity", 5000, 5000],
    ["drover", 5000, 5000],
  ] as const)(
    "repair changed slices, with the %s preset and a batch period of %i ms, after %i ms",
    async (preset, endpointUpdatesBatchPeriodMs, afterMs) => {
      const here = await stage([newEndpointSliceController({ endpointUpdatesBatchPeriodMs })], { preset });
      await here.makePod("a", "10.0.0.1");
      await here.serve();
      await here.calm(10_000);
      const [slice] = await here.slices();
      here.wire.writes.length = 0;
      await here.client.patch(EndpointSlice, slice?.metadata.name ?? "", { type: "merge", body: { endpoints: [] } });
      await here.calm(Math.max(0, afterMs - 1));
      expect(here.wire.writes).toEqual(afterMs === 0 ? ["PUT endpointslices"] : []);
      await here.calm(100);
      expect(here.wire.writes).toEqual(["PUT endpointslices"]);
    },
  );
});

describe("a deleted service", () => {
  it("E034, S003: causes one DELETE of its Endpoints and nothing else, without an error", async () => {
    const here = await stage([endpointsController, endpointSliceController]);
    await here.makePod("a", "10.0.0.1");
    await here.serve();
    here.wire.writes.length = 0;
    await here.client.delete(Service, "web");
    await here.calm(5000);
    expect(here.wire.writes).toEqual(["DELETE endpoints"]);
    expect(prometheusText(here.runtime.metrics)).not.toMatch(/^controller_runtime_reconcile_errors_total\{.*\} [1-9]/m);
    await expect(here.client.get(Endpoints, "web")).rejects.toMatchObject({ reason: "NotFound" });
  });
});
