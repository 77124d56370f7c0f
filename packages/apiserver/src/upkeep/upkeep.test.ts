import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { nodeHost } from "../http/node-host.ts";
import { StoreUnavailableError } from "../storage/store.ts";
import { MemoryStore } from "../storage/memory-store.ts";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

interface ShownLease {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly holderIdentity: string; readonly renewTime: string; readonly leaseDurationSeconds: number };
}

const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
const leasesOf = async ({ call }: TestServer): Promise<readonly ShownLease[]> =>
  (await call("GET", leases)).object["items"] as unknown as readonly ShownLease[];

/** Runs the upkeep; `stop` ends it. */
function running(server: TestServer): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const over = server.run(stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await over;
  };
  return { stop };
}

describe("ApiServer.run", () => {
  it("keeps an identity lease as kube-apiserver does, and removes it at the end", async () => {
    const server = await testServer({ host: { ...nodeHost, hostName: "machine" } });
    expect(await leasesOf(server)).toEqual([]);
    const { stop } = running(server);
    await server.clock.advance(1);
    const [lease] = await leasesOf(server);
    expect(lease).toMatchObject({
      metadata: {
        name: expect.stringMatching(/^apiserver-[a-z2-7]{26}$/) as string,
        labels: { "apiserver.kubernetes.io/identity": "kube-apiserver", "kubernetes.io/hostname": "machine" },
      },
      spec: { leaseDurationSeconds: 3600 },
    });
    expect(lease?.spec.holderIdentity).toMatch(new RegExp(`^${lease?.metadata.name}_[0-9a-f-]{36}$`));
    await server.clock.advance(25_000);
    const [later] = await leasesOf(server);
    expect((later?.spec.renewTime ?? "") > (lease?.spec.renewTime ?? "")).toBe(true);
    await stop();
    expect(await leasesOf(server)).toEqual([]);
  });

  it("removes leases of servers that are gone, and no others", async () => {
    const server = await testServer();
    const lease = (name: string, renewTime: string, labels = { "apiserver.kubernetes.io/identity": "kube-apiserver" }) =>
      server.call("POST", leases, {
        apiVersion: "coordination.k8s.io/v1",
        kind: "Lease",
        metadata: { name, labels },
        spec: { holderIdentity: "x", leaseDurationSeconds: 3600, renewTime },
      });
    const ago = (hours: number): string => `${new Date(server.clock.now() - hours * 3_600_000).toISOString().slice(0, -1)}000Z`;
    await lease("apiserver-old", ago(1.5));
    await lease("apiserver-young", ago(0.5));
    await lease("my-controller", ago(1.5), { "apiserver.kubernetes.io/identity": "other" });
    const { stop } = running(server);
    await server.clock.advance(1);
    const names = async (): Promise<readonly string[]> => (await leasesOf(server)).map(({ metadata }) => metadata.name);
    expect(await names()).toEqual(expect.arrayContaining(["apiserver-young", "my-controller"]));
    expect(await names()).not.toContain("apiserver-old");
    // Every hour.
    await server.clock.advance(3_600_000);
    expect(await names()).not.toContain("apiserver-young");
    expect(await names()).toContain("my-controller");
    await stop();
  });

  it("has a lease per server on one store, each of which takes its own away", async () => {
    const clock = new ManualClock();
    const store = new MemoryStore({ clock });
    const first = await testServer({ store, serverAddress: "127.0.0.1:6443" });
    const second = await testServer({ store, serverAddress: "127.0.0.1:6444" });
    const [one, other] = [running(first), running(second)];
    await first.clock.advance(1);
    await second.clock.advance(1);
    expect(await leasesOf(first)).toHaveLength(2);
    await one.stop();
    expect(await leasesOf(second)).toHaveLength(1);
    await other.stop();
  });

  it("repairs the addresses of Services every three minutes", async () => {
    const server = await testServer();
    const { stop } = running(server);
    const addresses = "/apis/networking.k8s.io/v1/ipaddresses";
    const labels = { "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io", "ipaddress.kubernetes.io/ip-family": "IPv4" };
    const body = {
      metadata: { name: "10.0.0.7", labels },
      spec: { parentRef: { resource: "services", namespace: "default", name: "gone" } },
    };
    expect((await server.call("POST", addresses, { apiVersion: "networking.k8s.io/v1", kind: "IPAddress", ...body })).status).toBe(201);
    await server.clock.advance(180_001);
    expect((await server.call("GET", `${addresses}/10.0.0.7`)).status).toBe(200);
    await server.clock.advance(180_001);
    expect((await server.call("GET", `${addresses}/10.0.0.7`)).status).toBe(404);
    await stop();
  });

  it("goes on after a failure of the store, and ends in two seconds if the store does not answer", async () => {
    const clock = new ManualClock();
    const store = new MemoryStore({ clock });
    const server = await testServer({ store });
    const get = store.get.bind(store);
    store.get = () => Promise.reject(new StoreUnavailableError("the disk is gone"));
    const stopping = new AbortController();
    const over = server.run(stopping.signal);
    await server.clock.advance(1);
    store.get = get;
    await server.clock.advance(11_000);
    expect(await leasesOf(server)).toHaveLength(1);
    store.get = () => new Promise(() => undefined);
    // The next renewal waits for the store.
    await server.clock.advance(11_000);
    stopping.abort();
    await server.clock.advance(2000);
    await over;
  });
});
