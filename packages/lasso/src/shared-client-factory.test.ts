import { Deployment } from "@drover/api/apps/v1";
import { Node, Pod } from "@drover/api/core/v1";
import { jsonResponse, scriptedTransport, statusResponse } from "@drover/client/testing";
import { isNoMatchError, newInternalError } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createCluster } from "@drover/cache";
import {
  newSharedClientFactory,
  newSharedClientFactoryForConfig,
  newSharedClientFactoryWithAgent,
  newSharedClientFactoryWithImpersonation,
} from "./shared-client-factory.ts";
import { fixedMapper } from "./testing/fixed-mapper.ts";

const pods = { group: "", version: "v1", resource: "pods" };
const deployments = { group: "apps", version: "v1", resource: "deployments" };

function stage(answer = () => jsonResponse({ metadata: { name: "web" } })) {
  const transport = scriptedTransport(answer);
  const cluster = createCluster({ namespace: "default", runtime: testRuntime(), transport });
  const factory = newSharedClientFactory({ cluster }, { mapper: fixedMapper(Pod, Node, Deployment) });
  return { transport, cluster, factory };
}

describe("SharedClientFactory", () => {
  it("returns one client per resource from every method", async () => {
    const { transport, factory } = stage();
    const client = factory.forResourceKind(deployments, "Deployment", true);
    expect(factory.forObject(Deployment)).toBe(client);
    expect(await factory.forKind({ group: "apps", version: "v1", kind: "Deployment" })).toBe(client);
    expect(await factory.forResource(deployments, true)).toBe(client);
    expect(factory.forResourceKind(pods, "Pod", true)).not.toBe(client);
    expect(transport.requests).toEqual([]);
  });

  it("returns clients that reach the resource and set its kind (§3.1)", async () => {
    const { transport, factory } = stage();
    expect(await factory.forObject(Deployment).get("shop", "web")).toMatchObject({ apiVersion: "apps/v1", kind: "Deployment" });
    expect(await factory.forObject(Node).get("", "n1")).toMatchObject({ kind: "Node" });
    expect(transport.requests.map(({ path }) => path)).toEqual(["/apis/apps/v1/namespaces/shop/deployments/web", "/api/v1/nodes/n1"]);
  });

  it("resolves kinds, resources and scopes with its mapper, and rejects like it", async () => {
    const { factory } = stage();
    expect(await factory.gvkForResource(deployments)).toEqual({ group: "apps", version: "v1", kind: "Deployment" });
    expect(await factory.resourceForGVK(Node)).toEqual({ resource: { group: "", version: "v1", resource: "nodes" }, namespaced: false });
    expect([await factory.isNamespaced(Pod), await factory.isNamespaced(Node)]).toEqual([true, false]);
    for (const asked of [
      factory.forKind({ group: "", version: "v1", kind: "Secret" }),
      factory.forResource({ ...pods, resource: "secrets" }, true),
    ])
      await expect(asked).rejects.toSatisfy(isNoMatchError);
  });

  it("creates empty objects of a kind, and reads the kind of others", () => {
    const { factory } = stage();
    expect(factory.newObjects(Deployment)).toEqual({
      object: { apiVersion: "apps/v1", kind: "Deployment", metadata: {} },
      list: { apiVersion: "apps/v1", kind: "DeploymentList", metadata: {}, items: [] },
    });
    expect(factory.gvkForObject({ apiVersion: "apps/v1", kind: "Deployment" })).toEqual({
      group: "apps",
      version: "v1",
      kind: "Deployment",
    });
    expect(() => factory.gvkForObject({ kind: "Deployment" })).toThrow("no apiVersion");
  });

  it("reports whether the server is healthy, and rejects when the signal aborts", async () => {
    expect(await stage(() => jsonResponse({ major: "1", minor: "36", gitVersion: "v1.36.0" })).factory.isHealthy()).toBe(true);
    const { factory } = stage(() => statusResponse(newInternalError("down")));
    expect(await factory.isHealthy()).toBe(false);
    await expect(factory.isHealthy({ signal: AbortSignal.abort("enough") })).rejects.toBe("enough");
  });

  it("limits every call except watch with timeoutMs", async () => {
    const runtime = testRuntime();
    const cluster = createCluster({ namespace: "default", runtime, transport: scriptedTransport(() => new Promise(() => undefined)) });
    const failed = expect(newSharedClientFactoryForConfig({ cluster, timeoutMs: 2000 }).forObject(Pod).get("shop", "web")).rejects.toThrow(
      "2000 ms",
    );
    await runtime.clock.advance(2000);
    await failed;
  });

  it("waits for a kind that the server does not know yet, until the signal aborts", async () => {
    const runtime = testRuntime();
    const cluster = createCluster({
      namespace: "default",
      runtime,
      transport: scriptedTransport(() => statusResponse(newInternalError("starting"))),
    });
    const stop = new AbortController();
    const failed = expect(newSharedClientFactoryForConfig({ cluster }).forKind(Pod, { signal: stop.signal })).rejects.toBe("enough");
    await runtime.clock.advance(5000);
    expect(runtime.log.entries.filter(({ message }) => message.startsWith("resource lookup failed"))).not.toEqual([]);
    stop.abort("enough");
    await failed;
  });
});

describe("clients with another user agent or user", () => {
  it("send the new user agent and no other change, once per resource, and leave the original unchanged (§3.4, §3.5)", async () => {
    const { transport, factory } = stage();
    const agented = newSharedClientFactoryWithAgent("fleet/1.2", factory);
    expect(agented.forObject(Pod)).toBe(agented.forObject(Pod));
    expect(agented.forObject(Pod)).not.toBe(factory.forObject(Pod));
    await agented.forObject(Pod).get("shop", "web");
    await (await agented.forKind(Pod)).get("shop", "web");
    await factory.forObject(Pod).get("shop", "web");
    await newSharedClientFactoryWithAgent("other", agented).forObject(Pod).get("shop", "web");
    const [first, , plain] = transport.requests;
    expect(transport.requests.map(({ headers }) => headers["user-agent"])).toEqual(["fleet/1.2", "fleet/1.2", undefined, "other"]);
    expect({ ...first?.headers, "user-agent": undefined }).toEqual({ ...plain?.headers, "user-agent": undefined });
  });

  it("impersonate a user, and leave the original unchanged (§3.4, §3.5)", async () => {
    const { transport, factory } = stage();
    const asZeus = newSharedClientFactoryWithImpersonation(
      { user: "zeus", uid: "7", groups: ["gods"], extra: { scopes: ["a", "b"] } },
      factory,
    );
    await asZeus.forObject(Pod).get("shop", "web");
    await factory.forObject(Pod).get("shop", "web");
    expect(transport.requests.map(({ headers }) => Object.entries(headers).filter(([name]) => name.startsWith("impersonate")))).toEqual([
      [
        ["impersonate-user", "zeus"],
        ["impersonate-uid", "7"],
        ["impersonate-group", ["gods"]],
        ["impersonate-extra-scopes", ["a", "b"]],
      ],
      [],
    ]);
    expect(() => newSharedClientFactoryWithImpersonation({ user: "", groups: ["gods"] }, factory)).toThrow("no user");
  });
});
