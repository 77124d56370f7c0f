/**
 * Two of our servers and a real kube-apiserver on one etcd: the same answers wherever a client asks, addresses and node ports that are
 * unique over all of them, and watches that go on elsewhere when a server is gone.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiServer } from "@drover/apiserver";
import type { ApiServer, Store } from "@drover/apiserver";
import { nodeHost, openEtcd } from "@drover/apiserver/node";
import { createRandom, decodeJson, encodeJson, pick } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { nodeRuntime } from "drover";
import { EtcdClient } from "../../packages/apiserver/src/storage/etcd/etcd-client.ts";
import { connectEtcd } from "../../packages/apiserver/src/storage/etcd/grpc-transport.ts";
import { realServerMissing, serverAt, startServerPrograms } from "../servers/real-server.ts";
import { sendTo } from "../servers/send-to.ts";
import type { Answer, Send } from "../servers/send-to.ts";

interface ShownService {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly spec: { readonly clusterIP: string; readonly ports: readonly { readonly nodePort: number }[] };
}

const runtime = nodeRuntime({ write: () => undefined });
const seed = Number(process.env["DROVER_SEED"] ?? 36);
const random = createRandom(seed);
const maps = "/api/v1/namespaces/default/configmaps";
const services = "/api/v1/namespaces/default/services";
const addresses = "/apis/networking.k8s.io/v1/ipaddresses";
const map = (name: string, n: number): JsonObject => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { n: String(n) } });
const service = (name: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, labels: { made: "here" } },
  spec: { type: "NodePort", ports: [{ port: 80 }], ...spec },
});
const objectOf = ({ body }: Answer): JsonObject => decodeJson(body) as JsonObject;
const serviceIn = (answer: Answer): ShownService => objectOf(answer) as unknown as ShownService;
const itemsIn = (answer: Answer): readonly ShownService[] => objectOf(answer)["items"] as unknown as readonly ShownService[];
const namesOf = (answer: Answer): readonly string[] => itemsIn(answer).map(({ metadata }) => metadata.name);
const revisionOf = (answer: Answer): string => serviceIn(answer).metadata.resourceVersion;

describe.skipIf(realServerMissing !== undefined)(`two of our servers and a real one on one etcd (${realServerMissing ?? "found"})`, () => {
  let programs: Awaited<ReturnType<typeof startServerPrograms>>;
  let ours: readonly ApiServer[] = [];
  /** The real server first. */
  let sends: readonly Send[] = [];
  const anywhere = (): Send => pick(random, sends);

  const openWith = (options: { readonly compactionMs?: number } = {}): Promise<Store> =>
    openEtcd({ servers: [programs.address.etcdUrl], ...options }, runtime);
  const open = async (port: number): Promise<ApiServer> => {
    const store = await openWith();
    return await createApiServer({
      runtime,
      host: nodeHost,
      store,
      authorizationModes: ["AlwaysAllow"],
      serviceCidr: "10.0.0.0/24",
      serverAddress: `127.0.0.1:${port}`,
    });
  };
  /** Events of a watch that the server ends after a second: "ADDED name@revision". */
  const watched = async (send: Send, path: string, from: string): Promise<readonly string[]> => {
    const { status, body } = await send("GET", `${path}?watch=1&timeoutSeconds=1&resourceVersion=${from}`);
    expect([status, body.slice(0, 300)]).toEqual([200, body.slice(0, 300)]);
    return body
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const { type, object } = decodeJson(line) as unknown as {
          readonly type: string;
          readonly object: { readonly metadata: { readonly name: string; readonly resourceVersion: string } };
        };
        return `${type} ${object.metadata.name}@${object.metadata.resourceVersion}`;
      });
  };

  beforeAll(async () => {
    programs = await startServerPrograms({ authorization: "AlwaysAllow", history: "etcd" });
    const real = serverAt(programs.address, programs);
    const toReal: Send = async (method, path, body) => {
      const { status, body: answer } = await real.send({
        method,
        path,
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: encodeJson(body) }),
      });
      return { status, body: answer };
    };
    ours = [await open(6441), await open(6442)];
    sends = [toReal, ...ours.map(sendTo)];
  }, 180_000);
  afterAll(async () => {
    for (const server of ours) server.close();
    await programs?.stop();
  }, 60_000);

  it("give the same answers to get, list and watch after writes on any of them", { timeout: 120_000 }, async () => {
    const from = revisionOf(await anywhere()("GET", maps));
    for (let n = 0; n < 120; n++) {
      const name = `m-${random.int(8)}`;
      const live = await anywhere()("GET", `${maps}/${name}`);
      const { status, body } =
        live.status === 404
          ? await anywhere()("POST", maps, map(name, n))
          : random.int(3) === 0
            ? await anywhere()("DELETE", `${maps}/${name}`)
            : await anywhere()("PUT", `${maps}/${name}`, map(name, n));
      expect([200, 201], body).toContain(status);
      const shown = await Promise.all(sends.map((send) => send("GET", `${maps}/${name}`)));
      expect(shown.slice(1), `seed ${seed}, write ${n}`).toEqual([shown[0], shown[0]]);
    }
    const lists = await Promise.all(sends.map((send) => send("GET", maps)));
    const items = lists.map((list) => itemsIn(list));
    expect(items.slice(1)).toEqual([items[0], items[0]]);
    const histories = await Promise.all(sends.map((send) => watched(send, maps, from)));
    expect(histories[0]?.length).toBe(120);
    expect(histories.slice(1)).toEqual([histories[0], histories[0]]);
  });

  it("resume each other's watches", { timeout: 60_000 }, async () => {
    const all: string[] = [];
    let from = revisionOf(await anywhere()("GET", maps));
    const first = from;
    for (let n = 0; n < 6; n++) {
      await anywhere()("POST", maps, map(`resumed-${n}`, n));
      await anywhere()("DELETE", `${maps}/resumed-${n}`);
      const events = await watched(sends[n % 3] ?? anywhere(), maps, from);
      all.push(...events);
      from = /@(\d+)$/.exec(events.at(-1) ?? "")?.[1] ?? from;
    }
    expect(all).toHaveLength(12);
    for (const send of sends) expect(await watched(send, maps, first)).toEqual(all);
  });

  it("never give one address or node port twice, and release those of deleted Services", { timeout: 120_000 }, async () => {
    const before = namesOf(await anywhere()("GET", addresses));
    expect(before).toEqual(["10.0.0.1"]);
    const living = new Map<string, ShownService>();
    for (let round = 0; round < 3; round++) {
      const made = await Promise.all(Array.from({ length: 36 }, (_, n) => anywhere()("POST", services, service(`s-${round}-${n}`))));
      for (const answer of made) {
        expect(answer.status, answer.body).toBe(201);
        const shown = serviceIn(answer);
        living.set(shown.metadata.name, shown);
      }
      const shown = [...living.values()];
      expect(new Set(shown.map(({ spec }) => spec.clusterIP)).size).toBe(living.size);
      expect(new Set(shown.map(({ spec }) => spec.ports[0]?.nodePort)).size).toBe(living.size);
      const recorded = await Promise.all(sends.map(async (send) => namesOf(await send("GET", addresses)).toSorted()));
      const wanted = ["10.0.0.1", ...shown.map(({ spec }) => spec.clusterIP)].toSorted();
      expect(recorded).toEqual([wanted, wanted, wanted]);
      const gone = [...living.keys()].filter(() => random.int(2) === 0);
      const deleted = await Promise.all(gone.map((name) => anywhere()("DELETE", `${services}/${name}`)));
      expect(new Set(deleted.map(({ status }) => status))).toEqual(new Set([200]));
      const ports = gone.map((name) => living.get(name)?.spec.ports[0]?.nodePort ?? 0);
      for (const name of gone) living.delete(name);
      // Node ports are free for requests on every server.
      const again = await Promise.all(
        ports.slice(0, 6).map((nodePort, n) => {
          const send = sends[n % 3] ?? anywhere();
          return send("POST", services, service(`p-${round}-${n}`, { ports: [{ port: 80, nodePort }] }));
        }),
      );
      expect(again.map(({ status }) => status)).toEqual(again.map(() => 201));
      for (const [n] of again.entries()) await anywhere()("DELETE", `${services}/p-${round}-${n}`);
    }
    await Promise.all([...living.keys()].map((name) => anywhere()("DELETE", `${services}/${name}`)));
    for (const send of sends) expect(namesOf(await send("GET", addresses))).toEqual(["10.0.0.1"]);
  });

  it("give one address or node port that all are asked for to one Service", { timeout: 60_000 }, async () => {
    const cases: readonly (readonly [string, JsonObject])[] = [
      ["provided IP is already allocated", { clusterIP: "10.0.0.200" }],
      ["provided port is already allocated", { ports: [{ port: 80, nodePort: 31_234 }] }],
    ];
    for (const [what, spec] of cases) {
      const answers = await Promise.all(
        sends.flatMap((send, n) => [0, 1].map((m) => send("POST", services, service(`one-${n}-${m}`, spec)))),
      );
      const refused = answers.filter(({ status }) => status === 422);
      expect([answers.filter(({ status }) => status === 201).length, refused.length], answers.map(({ body }) => body).join("\n")).toEqual([
        1, 5,
      ]);
      for (const { body } of refused) expect(body).toContain(what);
      for (const answer of answers) if (answer.status === 201) await anywhere()("DELETE", `${services}/${serviceIn(answer).metadata.name}`);
    }
    for (const send of sends) expect(namesOf(await send("GET", addresses))).toEqual(["10.0.0.1"]);
  });

  it("record an address as the real server does", { timeout: 60_000 }, async () => {
    const shown: JsonObject[] = [];
    for (const send of sends) {
      expect((await send("POST", services, service("recorded", { clusterIP: "10.0.0.210" }))).status).toBe(201);
      const { body } = await anywhere()("GET", `${addresses}/10.0.0.210`);
      shown.push(decodeJson(body.replaceAll(/"(?:uid|resourceVersion|creationTimestamp|time)":"[^"]*"/g, '"masked":""')) as JsonObject);
      await anywhere()("DELETE", `${services}/recorded`);
    }
    expect(shown.slice(1)).toEqual([shown[0], shown[0]]);
  });

  it("see each other's identity leases, and the end of a server", { timeout: 60_000 }, async () => {
    const path =
      "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases?labelSelector=apiserver.kubernetes.io/identity%3Dkube-apiserver";
    const stopping = new AbortController();
    const running = ours.map((server) => server.run(stopping.signal));
    for (const send of sends) await expect.poll(async () => namesOf(await send("GET", path)).length, { timeout: 20_000 }).toBe(3);
    stopping.abort();
    await Promise.all(running);
    for (const send of sends) expect(namesOf(await send("GET", path))).toHaveLength(1);
  });

  it("compact etcd once per interval, however many they are", { timeout: 60_000 }, async () => {
    const { clock } = runtime;
    const client = new EtcdClient({ clock, transports: connectEtcd([programs.address.etcdUrl], runtime) });
    const old = revisionOf(await anywhere()("GET", maps));
    await anywhere()("POST", maps, map("compacted", 1));
    const started = clock.monotonic();
    const stores = [await openWith({ compactionMs: 400 }), await openWith({ compactionMs: 400 }), await openWith({ compactionMs: 400 })];
    const compactions = async (): Promise<number> => (await client.range({ key: "compact_rev_key" })).values[0]?.version ?? 0;
    await expect.poll(compactions, { timeout: 20_000 }).toBeGreaterThan(3);
    for (const store of stores) store.close();
    // One server alone would have done as many.
    expect(await compactions()).toBeLessThanOrEqual(Math.ceil((clock.monotonic() - started) / 400) + 1);
    client.close();
    expect((await sends[0]?.("GET", `${maps}?resourceVersion=${old}&resourceVersionMatch=Exact`))?.status).toBe(410);
  });

  it("go on when one is gone, and serve what it wrote when it is back", { timeout: 120_000 }, async () => {
    const [one, other] = ours;
    const from = revisionOf(await anywhere()("GET", maps));
    expect((await (sends[1] as Send)("POST", maps, map("last-words", 1))).status).toBe(201);
    one?.close();
    await programs.restart();
    expect((await (sends[2] as Send)("POST", maps, map("alone", 1))).status).toBe(201);
    const back = await open(6441);
    ours = [back, ...(other === undefined ? [] : [other])];
    sends = [sends[0] as Send, ...ours.map(sendTo)];
    const survivor = sends[2] as Send;
    expect((await watched(survivor, maps, from)).map((event) => event.split("@")[0])).toEqual(["ADDED last-words", "ADDED alone"]);
    // A server that has started again has no history before that, and its clients list.
    const lists = await Promise.all(sends.map(async (send) => itemsIn(await send("GET", maps))));
    expect(lists.slice(1)).toEqual([lists[0], lists[0]]);
    const made = revisionOf(await (sends[1] as Send)("POST", maps, map("together", 1)));
    for (const send of sends) {
      const events = await watched(send, maps, String(Number(made) - 1));
      expect(events).toEqual([`ADDED together@${made}`]);
    }
  });
});
