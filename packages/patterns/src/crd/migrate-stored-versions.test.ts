/** Migrations on the embedded server, whole and under faults: killed at every step, refused, disturbed by others. */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { createApiServer } from "@drover/apiserver";
import type { ApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { TransportError, createClient } from "@drover/client";
import type { Client } from "@drover/client";
import { createRandom, errorText, isInvalid, newFailure } from "@drover/machinery";
import type { HttpRequest, HttpResponse, Kind, KubeObject, Random, StatusReason, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { migrateStoredVersions } from "./migrate-stored-versions.ts";
import type { MigrateStoredVersionsOptions, StoredVersionsMigration } from "./migrate-stored-versions.ts";

const name = "boxes.ex.io";
type Box = KubeObject & { spec?: { size?: number } };
const kind = (version: string): Kind<Box, "Namespaced"> => ({
  group: "ex.io",
  version,
  kind: "Box",
  listKind: "BoxList",
  plural: "boxes",
  singular: "box",
  shortNames: [],
  categories: [],
  scope: "Namespaced",
  verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  subresources: {},
});
const [old, current] = [kind("v1alpha1"), kind("v1")];

const versions = (storage: string, names: readonly string[] = ["v1alpha1", "v1"]): CustomResourceDefinition["spec"]["versions"] =>
  names.map((version) => ({
    name: version,
    served: true,
    storage: version === storage,
    schema: {
      openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { size: { type: "integer" } } } } },
    },
  }));

const answer = (code: number, reason: StatusReason | "", extra: { readonly continue?: string } = {}): HttpResponse => ({
  status: code,
  headers: { "content-type": "application/json", ...(code === 429 ? { "retry-after": "1" } : {}) },
  body: JSON.stringify({ ...newFailure(code, reason, `answer ${code}`), metadata: extra }),
});

const isList = ({ method, path }: HttpRequest): boolean => method === "GET" && /\/boxes(?:\?|$)/.test(path);
const isWrite = ({ method, path }: HttpRequest): boolean => method === "PATCH" && path.includes("/boxes/");
const isFinish = ({ method, path }: HttpRequest): boolean => method === "PATCH" && path.includes(`/${name}/status`);

describe("migrateStoredVersions", () => {
  const runtime = testRuntime({ clock: new ManualClock({ quietTurns: 8, turn: () => new Promise((resolve) => setImmediate(resolve)) }) });
  const { clock } = runtime;
  let server: ApiServer;
  let moved: ReturnType<ApiServer["snapshot"]>;
  let client: Client;
  const clientOn = (transport: Transport): Client => createClient({ transport, clock, log: runtime.log, namespace: "default" });

  /** Eight boxes stored in v1alpha1, whose definition stores v1 since. */
  beforeAll(async () => {
    server = await createApiServer({ runtime, host: nodeHost });
    client = clientOn(server.handle);
    await client.create(CustomResourceDefinition, {
      metadata: { name },
      spec: { group: "ex.io", scope: "Namespaced", names: { plural: "boxes", kind: "Box" }, versions: versions("v1alpha1") },
    });
    for (let index = 0; index < 8; index++)
      await client.create(
        old,
        { metadata: { name: `box-${index}` }, spec: { size: index } },
        { namespace: index % 2 ? "default" : "kube-system" },
      );
    await setStorage("v1");
    moved = server.snapshot();
  });
  beforeEach(() => server.restore(moved));
  afterAll(() => server.close());

  const setStorage = async (storage: string): Promise<void> => {
    await client.patch(CustomResourceDefinition, name, { type: "merge", body: { spec: { versions: versions(storage) } } });
  };
  const storedVersions = async (): Promise<unknown> => (await client.get(CustomResourceDefinition, name)).status?.storedVersions;
  const remove = (version: string): Promise<unknown> =>
    client.patch(CustomResourceDefinition, name, {
      type: "merge",
      body: {
        spec: {
          versions: versions(
            "v1",
            ["v1alpha1", "v1"].filter((each) => each !== version),
          ),
        },
      },
    });
  const sizes = async (): Promise<unknown[]> => {
    const { items } = await client.list(current, { namespace: "*" });
    return items.map(({ spec }) => spec?.size).toSorted((a, b) => (a ?? 0) - (b ?? 0));
  };
  const all = Array.from({ length: 8 }, (_, index) => index);

  /** Runs a migration to its end; the clock moves on as long as it waits. */
  async function migrate(
    options: MigrateStoredVersionsOptions = {},
    transport: Transport = server.handle,
  ): Promise<StoredVersionsMigration> {
    const over = new AbortController();
    const run = migrateStoredVersions(clientOn(transport), name, { chunkSize: 3, settleMs: 1000, ...options }).finally(() => over.abort());
    run.catch(() => undefined);
    while (!over.signal.aborted) await clock.advance(1000);
    return run;
  }

  /** The promise of the status: without an older version in it, that version can be removed and every object is readable. */
  async function checkPromise(): Promise<void> {
    const stored = (await storedVersions()) as string[];
    const before = (await client.list(old, { namespace: "*" })).items.length;
    if (stored.includes("v1alpha1")) return void (await expect(remove("v1alpha1")).rejects.toSatisfy(isInvalid));
    await remove("v1alpha1");
    expect((await client.list(current, { namespace: "*" })).items).toHaveLength(before);
  }

  it("writes every object in chunks, then leaves the storage version alone in the status", async () => {
    const lists: string[] = [];
    const progress: string[] = [];
    const result = await migrate({ onProgress: ({ objects, total }) => progress.push(`${objects}/${total}`) }, (request) => {
      if (isList(request)) lists.push(new URL(request.path, "http://a").searchParams.get("limit") ?? "");
      return server.handle(request);
    });
    expect(result).toEqual({
      outcome: "migrated",
      definition: name,
      storageVersion: "v1",
      olderVersions: ["v1alpha1"],
      objects: 8,
      written: 8,
      deleted: 0,
      failures: [],
    });
    expect(lists).toEqual(["3", "3", "3"]);
    expect([progress[0], progress.at(-1)]).toEqual(["1/8", "8/8"]);
    expect(await storedVersions()).toEqual(["v1"]);
    await remove("v1alpha1");
    expect(await sizes()).toEqual(all);
  });

  it("changes nothing but the resourceVersion of an object", async () => {
    const before = await client.get(current, "box-1");
    await migrate();
    const { metadata, ...rest } = await client.get(current, "box-1");
    expect({ ...rest, metadata: { ...metadata, resourceVersion: "" } }).toEqual({
      ...before,
      metadata: { ...before.metadata, resourceVersion: "" },
    });
    expect(metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
  });

  it("sends no write if the storage version is the only stored one", async () => {
    await migrate();
    const requests: string[] = [];
    const again = await migrate({}, (request) => {
      requests.push(request.method);
      return server.handle(request);
    });
    expect(again).toMatchObject({ outcome: "current", objects: 0, olderVersions: [] });
    expect(requests).toEqual(["GET"]);
  });

  it("waits until the definition has not changed for settleMs, because servers see a new storage version late", async () => {
    const times: number[] = [];
    const start = clock.now();
    let hasChanged = false;
    await migrate({ settleMs: 5000 }, async (request) => {
      if (isList(request)) times.push(clock.now() - start);
      const response = await server.handle(request);
      // Just after the definition is read for the first time.
      if (!hasChanged)
        await client.patch(CustomResourceDefinition, name, { type: "merge", body: { spec: { names: { shortNames: ["bx"] } } } });
      hasChanged = true;
      return response;
    });
    expect(times[0]).toBeGreaterThanOrEqual(10_000);
  });

  it("checks every object in a dry run, and writes nothing", async () => {
    const before = await client.list(current, { namespace: "*" });
    expect(await migrate({ dryRun: "All" })).toMatchObject({ outcome: "checked", objects: 8, written: 0 });
    expect((await client.list(current, { namespace: "*" })).items).toEqual(before.items);
    expect(await storedVersions()).toEqual(["v1alpha1", "v1"]);
  });

  it("writes in a served version if the storage version is not served", async () => {
    await client.patch(CustomResourceDefinition, name, {
      type: "merge",
      body: { spec: { versions: versions("v1").map((version) => ({ ...version, served: !version.storage })) } },
    });
    expect(await migrate()).toMatchObject({ outcome: "migrated", storageVersion: "v1", written: 8 });
    await setStorage("v1");
    await checkPromise();
  });

  it("names the fix if no version is served", async () => {
    await client.patch(CustomResourceDefinition, name, {
      type: "merge",
      body: { spec: { versions: versions("v1").map((version) => ({ ...version, served: false })) } },
    });
    await expect(migrate()).rejects.toThrow(
      `${name} cannot be migrated: it serves none of its versions; set served: true in one of spec.versions`,
    );
  });

  it("refuses sizes and times that make no sense", async () => {
    await expect(migrate({ chunkSize: 0 })).rejects.toThrow("chunkSize must be a positive whole number, not 0");
    await expect(migrate({ concurrency: 0.5 })).rejects.toThrow("concurrency must be a positive whole number, not 0.5");
    await expect(migrate({ settleMs: -1 })).rejects.toThrow("settleMs must be milliseconds from 0 to a day, not -1");
    await expect(migrate({ retryMs: NaN })).rejects.toThrow("retryMs must be milliseconds from 1 to a day, not NaN");
  });

  it("can be killed at every step and started again", { timeout: 120_000 }, async () => {
    for (let requests = 0; ; requests++) {
      await server.restore(moved);
      const stop = new AbortController();
      let left = requests;
      const killed = await migrate({ signal: stop.signal }, async (request) => {
        if (left-- > 0) return server.handle(request);
        // The last request reaches the server, but not its answer the program.
        if (requests % 2 === 0) await server.handle(request);
        stop.abort(new Error("killed"));
        throw new TransportError("the connection was reset", { reason: "reset", sent: "maybe" });
      }).catch(errorText);
      if (typeof killed !== "string") {
        expect(requests).toBeGreaterThan(12);
        break;
      }
      expect(killed).toContain("killed");
      expect(await migrate()).toMatchObject({ olderVersions: expect.toBeOneOf([["v1alpha1"], []]) as unknown });
      expect(await storedVersions()).toEqual(["v1"]);
      await checkPromise();
    }
  });

  it("reports an object that cannot be converted by name, writes the others and keeps the status", async () => {
    const bad = (request: HttpRequest): boolean => isWrite(request) && request.path.includes("/box-3");
    const result = await migrate({}, (request) => (bad(request) ? Promise.resolve(answer(500, "")) : server.handle(request)));
    expect(result).toMatchObject({ outcome: "failed", objects: 8, written: 7, failures: [{ namespace: "default", name: "box-3" }] });
    expect(errorText(result.failures[0]?.error)).toContain("answer 500");
    expect(await storedVersions()).toEqual(["v1alpha1", "v1"]);
    expect(await migrate()).toMatchObject({ outcome: "migrated", written: 1 });
    await checkPromise();
  });

  it("lists in another version if an object makes the list in the storage version fail", async () => {
    const failing = (request: HttpRequest): boolean =>
      (isList(request) && request.path.includes("/v1/")) || (isWrite(request) && request.path.includes("/box-3"));
    const result = await migrate({}, (request) => (failing(request) ? Promise.resolve(answer(500, "")) : server.handle(request)));
    expect(result).toMatchObject({ outcome: "failed", objects: 8, written: 7, failures: [{ name: "box-3" }] });
    expect(result.failures).toHaveLength(1);
  });

  it("takes a resource that a server does not serve for a failure, not for deleted objects", async () => {
    const result = await migrate({}, (request) =>
      isWrite(request) && request.path.includes("/box-3") ? Promise.resolve(answer(404, "NotFound")) : server.handle(request),
    );
    expect(result).toMatchObject({ outcome: "failed", deleted: 0, failures: [{ name: "box-3" }] });
  });

  it("stops after a hundred failures", async () => {
    for (let index = 8; index < 130; index++) await client.create(old, { metadata: { name: `box-${index}` } });
    let writes = 0;
    const result = await migrate({ concurrency: 1 }, (request) => {
      if (!isWrite(request)) return server.handle(request);
      writes++;
      return Promise.resolve(answer(403, "Forbidden"));
    });
    expect([result.outcome, result.failures.length, writes]).toEqual(["failed", 100, 100]);
  });

  it("writes objects that another client changes or creates anew meanwhile, and passes over deleted ones", async () => {
    let hasDisturbed = false;
    const result = await migrate({ concurrency: 1 }, async (request) => {
      const response = await server.handle(request);
      if (isList(request) && !hasDisturbed) {
        hasDisturbed = true;
        const disturbed = { namespace: "default" };
        await client.patch(current, "box-1", { type: "merge", body: { spec: { size: 100 } } }, disturbed);
        await client.delete(current, "box-3", disturbed);
        await client.delete(current, "box-5", disturbed);
        await client.create(current, { metadata: { name: "box-5" } }, disturbed);
      }
      return response;
    });
    expect(result).toMatchObject({ outcome: "migrated", objects: 8, deleted: 1, written: 7, failures: [] });
    await checkPromise();
  });

  it("starts again if the storage version moves away and back while it writes", async () => {
    let writes = 0;
    const result = await migrate({ concurrency: 1 }, async (request) => {
      if (isWrite(request) && ++writes === 6) {
        await setStorage("v1alpha1");
        // Written again in the old version, behind the back of the migration.
        for (const index of [0, 2, 4])
          await client.patch(current, `box-${index}`, { type: "merge", body: {} }, { namespace: "kube-system" });
        await setStorage("v1");
      }
      return server.handle(request);
    });
    expect(result).toMatchObject({ outcome: "migrated", storageVersion: "v1" });
    await checkPromise();
  });

  it("migrates to a storage version that is chosen while it writes", async () => {
    let writes = 0;
    const result = await migrate({}, async (request) => {
      if (isWrite(request) && ++writes === 6) await setStorage("v1alpha1");
      return server.handle(request);
    });
    expect(result).toMatchObject({ outcome: "migrated", storageVersion: "v1alpha1", olderVersions: ["v1"] });
    expect(await storedVersions()).toEqual(["v1alpha1"]);
  });

  it("gives up if the definition changes during every attempt, and keeps the status", async () => {
    let changes = 0;
    const result = await migrate({}, async (request) => {
      if (isList(request))
        await client.patch(CustomResourceDefinition, name, {
          type: "merge",
          body: { spec: { names: { shortNames: [`b${++changes}`] } } },
        });
      return server.handle(request);
    });
    expect(result).toMatchObject({ outcome: "changed" });
    expect(await storedVersions()).toEqual(["v1alpha1", "v1"]);
  });

  it("retries the last write if only a condition of the definition has changed", async () => {
    let hasChanged = false;
    const result = await migrate({}, async (request) => {
      if (isFinish(request) && !hasChanged) {
        hasChanged = true;
        await client.patch(CustomResourceDefinition, name, { type: "merge", body: { metadata: { labels: { a: "b" } } } });
      }
      return server.handle(request);
    });
    expect([hasChanged, result.outcome]).toEqual([true, "migrated"]);
    await checkPromise();
  });

  it("does not touch a definition that was deleted and created again", async () => {
    const run = migrate({ concurrency: 1 }, async (request) => {
      if (isFinish(request)) {
        await client.delete(CustomResourceDefinition, name);
        await client.create(CustomResourceDefinition, {
          metadata: { name },
          spec: { group: "ex.io", scope: "Namespaced", names: { plural: "boxes", kind: "Box" }, versions: versions("v1alpha1") },
        });
      }
      return server.handle(request);
    });
    expect(await run).toMatchObject({ outcome: "current", storageVersion: "v1alpha1" });
  });

  it("continues a list whose token has expired, and starts again if the server offers no other", async () => {
    let asked = 0;
    const expire =
      (times: number, extra: (request: HttpRequest) => { readonly continue?: string }): Transport =>
      async (request) =>
        isList(request) && request.path.includes("continue=") && asked++ < times
          ? answer(410, "Expired", extra(request))
          : server.handle(request);
    const token = (request: HttpRequest): { readonly continue: string } => ({
      continue: new URL(request.path, "http://a").searchParams.get("continue") ?? "",
    });
    expect(await migrate({}, expire(1, token))).toMatchObject({ outcome: "migrated", objects: 8, written: 8 });
    asked = 0;
    await server.restore(moved);
    expect(
      await migrate(
        {},
        expire(2, () => ({})),
      ),
    ).toMatchObject({ outcome: "migrated", objects: 8, written: 8 });
    asked = 0;
    await server.restore(moved);
    await expect(
      migrate(
        {},
        expire(100, () => ({})),
      ),
    ).rejects.toThrow("answer 410");
    expect(asked).toBe(4);
    expect(await storedVersions()).toEqual(["v1alpha1", "v1"]);
  });

  it("retries requests to a busy server, and gives up after retryMs with the last answer", async () => {
    let refusals = 0;
    const busy = await migrate({}, (request) =>
      refusals++ % 3 === 0 ? Promise.resolve(answer(429, "TooManyRequests")) : server.handle(request),
    );
    expect(busy).toMatchObject({ outcome: "migrated", objects: 8 });
    await server.restore(moved);
    const stuck = await migrate({ retryMs: 20_000 }, (request) =>
      isWrite(request) && request.path.includes("/box-7") ? Promise.resolve(answer(503, "ServiceUnavailable")) : server.handle(request),
    );
    expect(stuck).toMatchObject({ outcome: "failed", failures: [{ name: "box-7" }] });
    expect(errorText(stuck.failures[0]?.error)).toBe(
      "write boxes.ex.io default/box-7: gave up after 20000 ms; the last attempt failed: answer 503",
    );
  });

  it("keeps its promise under random faults", { timeout: 120_000 }, async () => {
    const codes: readonly (readonly [number, StatusReason | ""])[] = [
      [409, "Conflict"],
      [429, "TooManyRequests"],
      [500, "InternalError"],
      [503, "ServiceUnavailable"],
      [504, "Timeout"],
    ];
    const faulty =
      (random: Random, kinds: number): Transport =>
      async (request) => {
        const fault = random.int(kinds);
        const refusal = codes[fault];
        if (refusal !== undefined) return answer(...refusal);
        if (fault === 20) throw new TransportError("the connection was reset", { reason: "reset", sent: "no" });
        const response = await server.handle(request);
        if (fault === 21) throw new TransportError("the connection was reset", { reason: "reset", sent: "maybe" });
        if (fault === 22) await setStorage("v1");
        if (fault === 23) {
          await setStorage("v1alpha1");
          await client.patch(current, "box-2", { type: "merge", body: {} }, { namespace: "kube-system" });
          await setStorage("v1");
        }
        return response;
      };
    const outcomes = new Set<string>();
    for (let seed = 1; seed <= 10; seed++) {
      await server.restore(moved);
      const result = await migrate({ chunkSize: 1 + (seed % 6) }, faulty(createRandom(seed), seed % 3 === 0 ? 6 : 25)).catch(
        () => undefined,
      );
      outcomes.add(result?.outcome ?? "rejected");
      await checkPromise();
    }
    expect(outcomes).toContain("migrated");
    expect(outcomes.size).toBeGreaterThan(1);
  });
});
