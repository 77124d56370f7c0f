/** The request builder, the pager and the watch stream with an API server. */
import { ConfigMap, Secret } from "@drover/api/core/v1";
import { createClient, listAll, listItems, listPages, watchEventError } from "@drover/client";
import { pageSource, RestClient } from "@drover/client-go";
import type { Client, NodeTransport, PageSource, Warning } from "@drover/client";
import type { RestRequest } from "@drover/client-go";
import { encodeListOptions, isExpired, isInitialEventsEnd, isTooLargeResourceVersion } from "@drover/machinery";
import type { KubeList, ListOptions, WatchEvent } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { QuietWatches } from "./quiet-watches.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const { clock } = nodeRuntime();
const count = 1200;
const isLong = process.env["DROVER_LONG"] === "1";

/** For every server: they start before the first test and are read after the last, because they take a minute or two. */
const quietWatches: QuietWatches[] = [];
beforeAll(async () => {
  if (isLong) await Promise.all(quietWatches.map((watches) => watches.begin()));
}, 120_000);
afterAll(async () => {
  await Promise.all(quietWatches.map((watches) => watches.end()));
}, 30_000);

describeOnServers("requests", ({ missing, start }) => {
  const warnings: Warning[] = [];
  let server: SuiteServer | undefined;
  let transport: NodeTransport | undefined;
  let client: RestClient;
  /** The same server, through the client on top. */
  let typed: Client;

  const configMap = (name: string, data: Record<string, string> = {}) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name },
    data,
  });
  const nameOf = (index: number): string => `map-${String(index).padStart(4, "0")}`;
  const maps = (namespace: string): RestRequest => client.get().namespace(namespace).resource("configmaps");
  const create = async (namespace: string, name: string): Promise<ConfigMap> =>
    (
      await client
        .post()
        .namespace(namespace)
        .resource("configmaps")
        .body(configMap(name, { a: "ü🐎" }))
        .do()
    ).into<ConfigMap>();
  const change = (namespace: string, name: string, n: string): Promise<Uint8Array> =>
    client.patch("merge").namespace(namespace).resource("configmaps").name(name).body({ data: { n } }).doRaw();
  const watch = (namespace: string, options: ListOptions, signal?: AbortSignal) =>
    maps(namespace)
      .versionedParams({ watch: true, ...options }, encodeListOptions)
      .watch<ConfigMap>(signal === undefined ? {} : { signal });
  const names = (items: readonly ConfigMap[]): string[] => items.map(({ metadata }) => metadata.name ?? "");
  async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
    const seen: T[] = [];
    for await (const value of values) seen.push(value);
    return seen;
  }

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    const log = recordingLog(clock);
    transport = server.transport({ clock, log });
    client = new RestClient({
      transport,
      clock,
      log,
      groupVersion: { group: "", version: "v1" },
      warningHandler: (warning) => void warnings.push(warning),
    });
    typed = createClient({ transport, clock, log, namespace: "many" });
    for (const name of ["many", "few"])
      expect(
        (await client.post().resource("namespaces").body({ apiVersion: "v1", kind: "Namespace", metadata: { name } }).do()).wasCreated,
      ).toBe(true);
    const next = Array.from({ length: count }, (_, index) => nameOf(index)).values();
    const worker = async (): Promise<void> => {
      for (const name of next) await create("many", name);
    };
    await Promise.all(Array.from({ length: 16 }, worker));
  }, 120_000);
  afterAll(async () => {
    transport?.close();
    await server?.stop();
  }, 30_000);
  beforeEach((ctx) => {
    if (server === undefined) ctx.skip(missing);
  });

  describe("the request builder", () => {
    it("reads, writes and deletes the named object", async () => {
      const made = await create("few", "one");
      expect(made).toMatchObject({ kind: "ConfigMap", data: { a: "ü🐎" } });
      const one = maps("few").name("one");
      expect((await one.do()).into<ConfigMap>()).toEqual(made);
      const patched = await client
        .patch("merge")
        .namespace("few")
        .resource("ConfigMaps")
        .name("one")
        .body({ data: { a: null, b: "2" } })
        .do();
      expect(patched.into<ConfigMap>().data).toEqual({ b: "2" });
      const stale = await client.put().namespace("few").resource("configmaps").name("one").body(made).do();
      expect(stale.error).toMatchObject({ reason: "Conflict", code: 409, attempt: "update configmaps/one in few" });
      expect((await client.delete().namespace("few").resource("configmaps").name("one").do()).get()).toMatchObject({
        kind: "Status",
        status: "Success",
      });
      expect((await one.do()).error).toMatchObject({ reason: "NotFound", message: 'configmaps "one" not found' });
    });

    it("reads non-resource paths, as JSON, as text and with a server-side timeout", async () => {
      expect((await client.get().absPath("/version").do()).get()).toMatchObject({ major: "1" });
      expect(new TextDecoder().decode(await client.get().absPath("/healthz").doRaw())).toBe("ok");
      expect((await client.get().requestURI("/api/v1/namespaces/few?pretty=false").do()).into<ConfigMap>().metadata.name).toBe("few");
      expect((await maps("few").timeout(30_000).do()).statusCode).toBe(200);
      const chunks = await all(await client.get().absPath("/readyz").stream());
      expect(chunks.map((chunk) => (typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk))).join("")).toBe("ok");
    });

    it("passes on the server's warnings", async () => {
      warnings.length = 0;
      const result = await client
        .post()
        .namespace("few")
        .resource("configmaps")
        .param("dryRun", "All")
        .param("fieldValidation", "Warn")
        .body({ ...configMap("w"), nonsense: 1 })
        .do();
      expect(result.warnings).toEqual([{ code: 299, agent: "-", text: 'unknown field "nonsense"' }]);
      expect(warnings).toEqual(result.warnings);
    });
  });

  describe(`a list of ${count} objects`, () => {
    it("comes in pages of 500, with the remaining count and with kinds on every item", async () => {
      const pages = await all(listPages(pageSource<ConfigMap>(maps("many"))));
      expect(pages.map(({ items, remainingItemCount }) => [items.length, remainingItemCount])).toEqual([
        [500, 700],
        [500, 200],
        [200, undefined],
      ]);
      expect(pages[0]?.items[0]).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
      expect(names(pages.flatMap(({ items }) => [...items]))).toEqual(Array.from({ length: count }, (_, index) => nameOf(index)));
    });

    /** Changes an object and compacts when the second page is about to be requested, so that the version of the first page is gone. */
    const compacting = () => {
      const source = pageSource<ConfigMap>(maps("many"));
      const asked: ListOptions[] = [];
      const pages: PageSource<ConfigMap> = async (options, call) => {
        asked.push(options);
        if (asked.length === 2) {
          for (let index = 0; index < 3; index++) await change("many", nameOf(0), String(index));
          await server?.compact();
        }
        return source(options, call);
      };
      return { pages, asked };
    };
    const everyName = Array.from({ length: count }, (_, index) => nameOf(index));

    it("A20: is completed with one full list after its token expired", async () => {
      const { pages, asked } = compacting();
      const list = await listAll(pages, {}, { pageSize: 100 });
      expect(names(list.items)).toEqual(everyName);
      expect(list.metadata.continue).toBeUndefined();
      expect(asked.map(({ limit, continue: token }) => [limit, token !== undefined])).toEqual([
        [100, false],
        [100, true],
        [undefined, false],
      ]);
    });

    it("A20: is iterated once, however it continues after the expiry", async () => {
      for (const [whenExpired, requests] of [
        ["full-list", 3],
        ["inconsistent", 13],
      ] as const) {
        const { pages, asked } = compacting();
        expect(names(await all(listItems(pages, {}, { pageSize: 100, whenExpired })))).toEqual(everyName);
        expect(asked).toHaveLength(requests);
      }
    });

    it("A20: is iterated once by the typed client, which hides the expiry", async () => {
      const seen: ConfigMap[] = [];
      for await (const map of typed.listAll(ConfigMap, { pageSize: 100 })) {
        if (seen.push(map) !== 100) continue;
        for (let index = 0; index < 3; index++) await change("many", nameOf(0), String(index));
        await server?.compact();
      }
      expect(names(seen)).toEqual(everyName);
    });

    it("A20: throws the expiry on request", async () => {
      const error: unknown = await listAll(compacting().pages, {}, { pageSize: 100, whenExpired: "throw" }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toSatisfy(isExpired);
      expect(error).toMatchObject({ code: 410, attempt: "list configmaps in many" });
    });
  });

  describe("a watch", () => {
    const versionOf = async (namespace: string): Promise<string> =>
      (await maps(namespace).do()).into<KubeList>().metadata.resourceVersion ?? "";

    it("receives the events after a version in order until it is stopped", async () => {
      const since = await versionOf("few");
      const events = watch("few", { resourceVersion: since, allowWatchBookmarks: true });
      const first = events.next();
      await create("few", "seen");
      await change("few", "seen", "2");
      await client.delete().namespace("few").resource("configmaps").name("seen").doRaw();
      const seen = [(await first).value, (await events.next()).value, (await events.next()).value] as WatchEvent<ConfigMap>[];
      expect(seen.map(({ type, object }) => [type, (object as ConfigMap).metadata.name])).toEqual([
        ["ADDED", "seen"],
        ["MODIFIED", "seen"],
        ["DELETED", "seen"],
      ]);
      const waiting = events.next();
      await events.return?.();
      expect(await waiting).toEqual({ done: true, value: undefined });
    });

    it("WatchList: starts with the current state, ended by a bookmark, and then continues", async () => {
      const controller = new AbortController();
      const events = watch(
        "many",
        { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: true },
        controller.signal,
      );
      const present: string[] = [];
      for (;;) {
        const { value } = (await events.next()) as IteratorYieldResult<WatchEvent<ConfigMap>>;
        if (isInitialEventsEnd(value)) break;
        expect(value.type).toBe("ADDED");
        present.push((value.object as ConfigMap).metadata.name ?? "");
      }
      expect(new Set(present).size).toBe(count);
      expect(present).toHaveLength(count);
      await change("many", nameOf(7), "after");
      expect((await events.next()).value).toMatchObject({ type: "MODIFIED", object: { metadata: { name: nameOf(7) } } });
      const reason = new Error("enough");
      const waiting = events.next();
      controller.abort(reason);
      await expect(waiting).rejects.toBe(reason);
    });

    it("receives a bookmark when only other objects changed, two seconds before the server ends it, and can resume there", async () => {
      const {
        metadata: { resourceVersion = "" },
      } = await typed.list(ConfigMap, { namespace: "few" });
      const watching = all(typed.watch(ConfigMap, { namespace: "few", resourceVersion, timeoutSeconds: 3 }));
      await change("many", nameOf(2), "elsewhere");
      const events = await watching;
      expect(new Set(events.map(({ type }) => type))).toEqual(new Set(["BOOKMARK"]));
      const last = events.at(-1);
      const marked = last?.type === "BOOKMARK" ? (last.object.metadata.resourceVersion ?? "") : "";
      expect(Number(marked)).toBeGreaterThan(Number(resourceVersion));
      await create("few", "after-the-bookmark");
      const next = await typed.watch(ConfigMap, { namespace: "few", resourceVersion: marked, timeoutSeconds: 5 }).next();
      expect(next.value).toMatchObject({ type: "ADDED", object: { metadata: { name: "after-the-bookmark" } } });
    });

    it("ends without an error after timeoutSeconds", async () => {
      expect(await all(watch("few", { resourceVersion: await versionOf("few"), timeoutSeconds: 1 }))).toEqual([]);
    });

    it("W4: returns 410 as a value when its version was compacted", async () => {
      const since = await versionOf("few");
      for (let index = 0; index < 3; index++) await change("many", nameOf(1), String(index));
      await server?.compact();
      const secrets = client
        .get()
        .namespace("few")
        .resource("secrets")
        .versionedParams({ resourceVersion: since, watch: true, timeoutSeconds: 5 }, encodeListOptions);
      const events = await all(secrets.watch());
      expect(events).toMatchObject([{ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } }]);
      const [event] = events;
      if (event?.type === "ERROR") expect(watchEventError(event, secrets.about)).toSatisfy(isExpired);
      expect(await all(typed.watch(Secret, { namespace: "few", resourceVersion: since, timeoutSeconds: 5 }))).toMatchObject([
        { type: "ERROR", object: { code: 410 } },
      ]);
    });

    it("W6: reports that a version is too new", async () => {
      const events = watch("few", {
        resourceVersion: "9999999999",
        sendInitialEvents: true,
        resourceVersionMatch: "NotOlderThan",
        allowWatchBookmarks: true,
        timeoutSeconds: 5,
      });
      const outcome: unknown = await events.next().then(
        ({ value }) => (value?.type === "ERROR" ? watchEventError(value, maps("few").about) : value),
        (error: unknown) => error,
      );
      expect(outcome).toSatisfy(isTooLargeResourceVersion);
    });

    it("throws the server's refusal of a watch", async () => {
      await expect(watch("few", { resourceVersion: "abc" }).next()).rejects.toMatchObject({
        name: "ApiError",
        message: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
      });
      await expect(watch("few", { sendInitialEvents: true }).next()).rejects.toMatchObject({
        reason: "Invalid",
        code: 422,
        attempt: "watch configmaps in few",
      });
    });
  });
});

describeOnServers("a watch without events", (source) => {
  const watches = new QuietWatches(source);
  quietWatches.push(watches);

  it("W1: receives a bookmark within the silence limit", async (ctx) => {
    if (!isLong) ctx.skip("takes a minute: DROVER_LONG=1");
    if (source.missing !== undefined) ctx.skip(source.missing);
    expect(await watches.firstEvents()).toEqual(["BOOKMARK", "BOOKMARK"]);
  }, 200_000);
});
