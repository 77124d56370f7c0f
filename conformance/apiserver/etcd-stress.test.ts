/**
 * Servers on an etcd that has no majority, that hangs, or that was restored from a backup: answers that clients and probes get, compared
 * with a real kube-apiserver on the same etcd.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiServer } from "@drover/apiserver";
import type { ApiServer } from "@drover/apiserver";
import { nodeHost, openEtcd } from "@drover/apiserver/node";
import { decodeJson, encodeJson } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { nodeRuntime } from "drover";
import { EtcdCluster } from "../servers/etcd-cluster.ts";
import { realEtcdMissing, startRealEtcd } from "../servers/real-etcd.ts";
import type { RealEtcd } from "../servers/real-etcd.ts";
import { sendTo } from "../servers/send-to.ts";
import type { Answer, Send } from "../servers/send-to.ts";
import { realServerMissing, serverAt, startServerPrograms } from "../servers/real-server.ts";

const runtime = nodeRuntime({ write: () => undefined });
const maps = "/api/v1/namespaces/default/configmaps";
const map = (name: string): JsonObject => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
const versionOf = ({ body }: Answer): string =>
  (decodeJson(body) as { readonly metadata: { readonly resourceVersion: string } }).metadata.resourceVersion;

const openOn = async (servers: readonly string[]): Promise<ApiServer> =>
  createApiServer({
    runtime,
    host: nodeHost,
    store: await openEtcd({ servers }, runtime),
    authorizationModes: ["AlwaysAllow"],
    serviceCidr: "10.0.0.0/24",
  });

describe.skipIf(realServerMissing !== undefined)(`servers on an etcd under stress (${realServerMissing ?? "found"})`, () => {
  let cluster: EtcdCluster;
  let programs: Awaited<ReturnType<typeof startServerPrograms>>;
  let ours: ApiServer;
  /** The real server first. */
  let sends: readonly Send[] = [];
  const everywhere = (method: string, path: string, body?: (index: number) => JsonObject): Promise<readonly Answer[]> =>
    Promise.all(sends.map((send, index) => send(method, path, body?.(index))));
  const statuses = async (path: string): Promise<readonly number[]> => (await everywhere("GET", path)).map(({ status }) => status);

  beforeAll(async () => {
    cluster = await EtcdCluster.start();
    programs = await startServerPrograms({ authorization: "AlwaysAllow", etcdServers: cluster.urls });
    const real = serverAt(programs.address, programs);
    ours = await openOn(cluster.urls);
    const toReal: Send = async (method, path, body) => {
      const { status, body: answer } = await real.send({
        method,
        path,
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: encodeJson(body) }),
      });
      return { status, body: answer };
    };
    sends = [toReal, sendTo(ours)];
  }, 180_000);
  afterAll(async () => {
    ours?.close();
    await programs?.stop();
    await cluster?.stop();
  }, 60_000);

  it("are not ready without a majority, refuse writes and serve what they know, and recover", { timeout: 240_000 }, async () => {
    expect((await everywhere("POST", maps, (index) => map(`before-${index}`))).map(({ status }) => status)).toEqual([201, 201]);
    const leader = (await cluster.leader()) ?? 0;
    const others = [(leader + 1) % 3, (leader + 2) % 3];
    for (const index of others) await cluster.kill(index);
    for (const path of ["/readyz", "/livez", "/healthz", "/readyz/etcd", "/readyz/etcd-readiness"])
      await expect.poll(() => statuses(path), { timeout: 30_000, interval: 500 }).toEqual([500, 500]);
    expect(await statuses("/readyz/ping")).toEqual([200, 200]);
    const failed = (await everywhere("GET", "/readyz?verbose")).map(({ body }) =>
      body.split("\n").filter((line) => line.startsWith("[-]")),
    );
    expect(failed).toEqual([
      ["[-]etcd failed: reason withheld", "[-]etcd-readiness failed: reason withheld"],
      ["[-]etcd failed: reason withheld", "[-]etcd-readiness failed: reason withheld"],
    ]);
    expect((await everywhere("GET", "/livez?exclude=etcd")).map(({ status }) => status)).toEqual([200, 200]);
    // Informers that have no version yet are served from memory.
    expect(await statuses(`${maps}?resourceVersion=0`)).toEqual([200, 200]);
    expect(await statuses(`${maps}/before-0?resourceVersion=0`)).toEqual([200, 200]);
    const refused = await everywhere("POST", maps, (index) => map(`refused-${index}`));
    for (const { status, body } of refused) expect([500, 504], body).toContain(status);
    for (const { body } of refused)
      expect((decodeJson(body) as { readonly message: string }).message).toMatch(
        /^(?:etcdserver: request timed out|Timeout: request did not)/,
      );
    for (const index of others) cluster.restart(index);
    await expect.poll(() => statuses("/readyz"), { timeout: 60_000, interval: 500 }).toEqual([200, 200]);
    expect((await everywhere("POST", maps, (index) => map(`after-${index}`))).map(({ status }) => status)).toEqual([201, 201]);
    // Both agree on what became of the writes that were refused.
    const lists = (await everywhere("GET", maps)).map(({ body }) => (decodeJson(body) as { readonly items: unknown }).items);
    expect(lists[1]).toEqual(lists[0]);
  });

  it("answer within their time when etcd hangs, and recover", { timeout: 240_000 }, async () => {
    for (const index of [0, 1, 2]) await cluster.pause(index);
    try {
      await expect.poll(() => statuses("/readyz"), { timeout: 30_000, interval: 500 }).toEqual([500, 500]);
      const started = performance.now();
      const { status, body } = (await sends[1]?.("POST", maps, map("hung"))) ?? { status: 0, body: "" };
      expect([status, (decodeJson(body) as { readonly reason: string }).reason]).toEqual([504, "Timeout"]);
      expect(performance.now() - started).toBeLessThan(60_000);
    } finally {
      for (const index of [0, 1, 2]) await cluster.resume(index);
    }
    await expect.poll(() => statuses("/readyz"), { timeout: 60_000, interval: 500 }).toEqual([200, 200]);
    expect((await everywhere("POST", maps, (index) => map(`awake-${index}`))).map(({ status }) => status)).toEqual([201, 201]);
  });
});

describe.skipIf(realEtcdMissing !== undefined)(`servers on an etcd that is restored from a backup (${realEtcdMissing ?? "found"})`, () => {
  let etcd: RealEtcd;
  let servers: readonly ApiServer[] = [];
  beforeAll(async () => {
    etcd = await startRealEtcd();
    servers = [await openOn([etcd.url]), await openOn([etcd.url])];
  }, 120_000);
  afterAll(async () => {
    for (const server of servers) server.close();
    await etcd?.stop();
  }, 60_000);

  it("notice by themselves, tell clients to list again, and agree on what is left", { timeout: 120_000 }, async () => {
    const [one, other] = servers.map(sendTo) as [Send, Send];
    expect((await one("POST", maps, map("kept"))).status).toBe(201);
    await etcd.backUp();
    await expect.poll(async () => (await one("GET", maps)).status, { timeout: 30_000 }).toBe(200);
    for (let n = 0; n < 5; n++) expect((await other("POST", maps, map(`lost-${n}`))).status).toBe(201);
    const old = versionOf(await one("GET", maps));
    const watches = [one, other].map((send) => send("GET", `${maps}?watch=1&timeoutSeconds=100&resourceVersion=${old}`));
    await etcd.restore();
    // Without a request of anyone.
    for (const { body } of await Promise.all(watches)) expect(decodeJson(body)).toMatchObject({ type: "ERROR", object: { code: 410 } });
    for (const send of [one, other]) {
      expect((await send("GET", `${maps}?resourceVersion=${old}`)).status).toBe(410);
      const again = await send("GET", `${maps}?watch=1&timeoutSeconds=1&resourceVersion=${old}`);
      expect(decodeJson(again.body)).toMatchObject({ type: "ERROR", object: { code: 410 } });
      expect((decodeJson((await send("GET", maps)).body) as { readonly items: JsonObject[] }).items).toHaveLength(1);
      expect((await send("GET", "/readyz")).status).toBe(200);
    }
    const from = versionOf(await one("GET", maps));
    expect(Number(from)).toBeLessThan(Number(old));
    expect((await one("POST", maps, map("new"))).status).toBe(201);
    const seen = await other("GET", `${maps}?watch=1&timeoutSeconds=1&resourceVersion=${from}`);
    expect(seen.body).toContain('"name":"new"');
  });

  it("are not ready while etcd is gone, and are again when it is back", { timeout: 120_000 }, async () => {
    const [one] = servers.map(sendTo) as [Send];
    await etcd.interrupt();
    await expect.poll(async () => (await one("GET", "/readyz")).status, { timeout: 20_000 }).toBe(500);
    const { status, body } = await one("POST", maps, map("nowhere"));
    expect([status, body]).toEqual([504, expect.stringContaining("context deadline exceeded")]);
    await etcd.restart();
    await expect.poll(async () => (await one("GET", "/readyz")).status, { timeout: 30_000 }).toBe(200);
    expect((await one("POST", maps, map("nowhere"))).status).toBe(201);
  });
});
