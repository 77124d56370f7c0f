import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { ConfigMap } from "@drover/api/core/v1";
import { TimeoutError, isOutcomeUnknown } from "@drover/machinery";
import type { HttpBody, HttpRequest, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import type { Client } from "../verbs/client.ts";
import { clusterRig } from "../testing/cluster-rig.ts";
import { configMapServer } from "../testing/config-map-server.ts";
import type { ConfigMapServer } from "../testing/config-map-server.ts";
import type { Fault } from "../testing/fault.ts";
import { faultServer } from "../testing/fault-server.ts";
import { jsonResponse, textResponse } from "../testing/scripted-transport.ts";
import type { ClusterTransportDeps } from "../transport/cluster-transport.ts";
import { nodeTransport } from "../transport/node-transport.ts";

// Every scenario runs twice: on the deterministic fault server, and over real sockets on loopback, where the server produces
// the same faults with bytes. In both, time passes only when a test advances the clock.

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

type Faults = readonly (Fault | undefined)[] | ((request: Pick<HttpRequest, "method" | "path">, index: number) => Fault | undefined);

interface Network {
  readonly client: Client;
  readonly runtime: TestRuntime;
  readonly server: ConfigMapServer;
  /** Requests the server received: "GET /api/…". */
  readonly seen: string[];
  readonly opened: () => number;
  readonly open: () => number;
}

type Build = (faults: Faults, deps?: Partial<ClusterTransportDeps>) => Promise<Network>;

const inProcess: Build = async (faults, deps = {}) => {
  const runtime = testRuntime();
  const server = configMapServer();
  const seen: string[] = [];
  const network = faultServer({ clock: runtime.clock, serve: recording(seen, server.handle), faults });
  const { client, transport } = clusterRig({ runtime, connect: network.connect, deps });
  cleanups.push(() => transport.close());
  return { client, runtime, server, seen, opened: network.opened, open: network.open };
};

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const overSockets: Build = async (faults, deps = {}) => {
  const runtime = testRuntime({ clock: new ManualClock({ quietTurns: 3, turn }) });
  const server = configMapServer();
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const stale = new WeakSet<Socket>();
  let opened = 0;
  let sent = 0;
  const listener = createServer({ keepAliveTimeout: 3_600_000 }, (request, response) => {
    if (stale.has(request.socket)) {
      request.socket.resetAndDestroy();
      return;
    }
    const fault = typeof faults === "function" ? faults({ method: request.method ?? "", path: request.url ?? "" }, sent++) : faults[sent++];
    if (fault?.kind === "stale") response.on("finish", () => stale.add(request.socket));
    void commit(fault, request, response, recording(seen, server.handle), runtime.clock);
  });
  listener.on("connection", (socket: Socket) => {
    opened++;
    sockets.add(socket.on("error", () => undefined).on("close", () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => void listener.listen(0, "127.0.0.1", resolve));
  const { client, transport } = clusterRig({
    runtime,
    connect: nodeTransport,
    deps,
    access: { server: `http://127.0.0.1:${(listener.address() as AddressInfo).port}` },
  });
  cleanups.push(() => {
    transport.close();
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  return { client, runtime, server, seen, opened: () => opened, open: () => sockets.size };
};

const recording =
  (seen: string[], next: Transport): Transport =>
  (request) => {
    seen.push(`${request.method} ${request.path}`);
    return next(request);
  };

/** Produces a fault with bytes. */
async function commit(
  fault: Fault | undefined,
  message: IncomingMessage,
  response: ServerResponse,
  serve: Transport,
  clock: ManualClock,
): Promise<void> {
  const { socket } = message;
  const hang = (how: "reset" | "close"): void => void (how === "reset" ? socket.resetAndDestroy() : socket.end());
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  if (fault?.kind === "silent") return;
  if (fault?.kind === "cut" && fault.at === "request") return hang(fault.how);
  if (fault?.kind === "late") await new Promise<void>((resolve) => void clock.timer(fault.byMs, resolve));
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, value ?? ""]));
  const answer =
    fault?.kind === "answered"
      ? fault.response
      : await serve({ method: message.method ?? "", path: message.url ?? "", headers, body: Buffer.concat(chunks), signal: gone.signal });
  if (fault?.kind === "cut" && fault.at === "answer") return hang(fault.how);
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (fault?.kind === "last") response.setHeader("connection", "close");
  if (typeof answer.body === "string" && fault?.kind !== "garbled") response.setHeader("content-length", Buffer.byteLength(answer.body));
  response.writeHead(answer.status);
  response.flushHeaders();
  let quiet = (): void => undefined;
  const watch = (): void => {
    quiet();
    if (fault?.kind === "tired") quiet = clock.timer(fault.afterMs, () => hang(fault.how));
  };
  response.on("close", () => quiet());
  watch();
  let left =
    fault?.kind === "cut" && typeof fault.at === "number"
      ? fault.at
      : fault?.kind === "stalled" || fault?.kind === "garbled"
        ? fault.afterBytes
        : Infinity;
  for await (const bytes of pieces(answer.body, fault?.kind === "slow" ? fault.bytes : Infinity)) {
    if (socket.destroyed) return;
    await new Promise<void>((resolve) => void response.write(bytes.subarray(0, left), () => resolve()));
    watch();
    left -= bytes.length;
    if (left <= 0) break;
    if (fault?.kind === "slow") await new Promise<void>((resolve) => void clock.timer(fault.everyMs, resolve));
  }
  if (left > 0) response.end();
  else if (fault?.kind === "garbled") socket.write("no chunk\r\n");
  else if (fault?.kind === "cut") hang(fault.how);
}

async function* pieces(body: HttpBody, bytesMax: number): AsyncGenerator<Buffer> {
  for await (const chunk of typeof body === "string" || body instanceof Uint8Array ? [body] : body) {
    const bytes = Buffer.from(chunk as string);
    for (let from = 0; from < bytes.length; from += bytesMax) yield bytes.subarray(from, from + bytesMax);
  }
}

/** Settles a promise while timers of up to `withinMs` in total may fire, one after the other, each when nothing else is pending. */
async function settled<T>(promise: Promise<T>, { clock }: TestRuntime, withinMs = 0): Promise<T | Error> {
  const outcome: (T | Error)[] = [];
  promise.then(
    (value) => outcome.push(value),
    (error: unknown) => outcome.push(error as Error),
  );
  const until = clock.monotonic() + withinMs;
  for (let quiet = 0; outcome.length === 0; quiet++) {
    await clock.settle();
    await turn();
    const [nextMs = Infinity] = clock.pending;
    if (quiet > 20 && outcome.length === 0 && clock.monotonic() + nextMs <= until) {
      await clock.advance(nextMs);
      quiet = 0;
    }
  }
  return outcome[0] as T | Error;
}

async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

const map = (name: string): ConfigMap => ({ metadata: { name }, data: { key: "new" } });
const lostAnswer: Fault = { kind: "cut", at: "answer", how: "reset" };

describe.each<[string, Build, number]>([
  ["on the fault server", inProcess, process.env["DROVER_LONG"] === "1" ? 5000 : 1000],
  ["over sockets", overSockets, 1000],
])("%s", (_, build, manyCalls) => {
  describe("writes whose response is lost", () => {
    it.each<[string, (client: Client) => Promise<unknown>, string, string[]]>([
      ["create", (client) => client.create(ConfigMap, map("b")), "POST", ["a", "b"]],
      ["update", (client) => client.update(ConfigMap, map("a")), "PUT", ["a"]],
      [
        "json patch",
        (client) => client.patch(ConfigMap, "a", { type: "json", body: [{ op: "add", path: "/data/key", value: "new" }] }),
        "PATCH",
        ["a"],
      ],
      ["merge patch", (client) => client.patch(ConfigMap, "a", { type: "merge", body: { data: { key: "new" } } }), "PATCH", ["a"]],
      ["strategic patch", (client) => client.patch(ConfigMap, "a", { type: "strategic", body: { data: { key: "new" } } }), "PATCH", ["a"]],
      ["apply", (client) => client.apply(ConfigMap, { metadata: { name: "b" }, data: { key: "new" } }), "PATCH", ["a", "b"]],
      ["delete", (client) => client.delete(ConfigMap, "a"), "DELETE", []],
    ])("C1: %s: the outcome is unknown, nothing is sent twice, and reading the object shows it", async (_verb, write, method, names) => {
      for (const how of ["reset", "close"] as const) {
        const { client, runtime, server, seen } = await build([{ ...lostAnswer, how }]);
        server.put("a", { key: "old" });
        const error = await settled(write(client), runtime, 60_000);
        expect(isOutcomeUnknown(error)).toBe(true);
        expect(seen.map((line) => line.split(" ", 1).join())).toEqual([method]);
        expect(server.names()).toEqual(names);
        const { items } = await client.list(ConfigMap);
        expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
      }
    });

    it("T10: cut before the server did anything: unknown too, since the client cannot know, and not repeated", async () => {
      const { client, runtime, server, seen } = await build([{ kind: "cut", at: "request", how: "reset" }]);
      expect(isOutcomeUnknown(await settled(client.create(ConfigMap, map("a")), runtime, 60_000))).toBe(true);
      expect([seen, server.names()]).toEqual([[], []]);
    });

    it("T10: no response in time: unknown", async () => {
      const { client, runtime } = await build([{ kind: "silent" }]);
      expect(isOutcomeUnknown(await settled(client.create(ConfigMap, map("a"), { timeoutMs: 5000 }), runtime, 5000))).toBe(true);
    });

    it("T10, T14: a timeout while waiting for a free call slot: it did not happen, and may be repeated", async () => {
      const { client, runtime, server, seen } = await build([{ kind: "late", byMs: 10_000 }], { limits: { callsMax: 1 } });
      server.put("a", {});
      const first = client.get(ConfigMap, "a");
      const error = await settled(client.create(ConfigMap, map("b"), { timeoutMs: 5000 }), runtime, 5000);
      expect(error).toBeInstanceOf(TimeoutError);
      expect(isOutcomeUnknown(error)).toBe(false);
      expect((error as Error).message).toBe("create configmaps in shop: not sent within 5000 ms");
      await settled(first, runtime, 10_000);
      expect(seen).toEqual(["GET /api/v1/namespaces/shop/configmaps/a"]);
    });

    it("T10: a timeout while the server asks to wait: it did not happen, and the error says so", async () => {
      const { client, runtime, seen } = await build([
        { kind: "answered", response: textResponse("slow down", { status: 429, headers: { "retry-after": "30" } }) },
      ]);
      const error = await settled(client.create(ConfigMap, map("a"), { timeoutMs: 5000 }), runtime, 5000);
      expect(error).toBeInstanceOf(TimeoutError);
      expect([isOutcomeUnknown(error), seen]).toEqual([false, []]);
    });
  });

  describe("connections", () => {
    it("T5, C6: a server that closes a connection after every hundred requests causes no failures", async () => {
      const { client, server, opened } = await build((__, index) => (index % 100 === 99 ? { kind: "last" } : undefined));
      server.put("a", { key: "old" });
      for (let call = 0; call < 150; call++) {
        await client.get(ConfigMap, "a");
        await client.update(ConfigMap, map("a"));
      }
      expect(opened()).toBe(3);
    });

    it("T5, C6: a connection lost during a request: a read is retried, a write has an unknown outcome", async () => {
      const { client, runtime, server } = await build([undefined, lostAnswer, undefined, lostAnswer]);
      server.put("a", { key: "old" });
      await client.get(ConfigMap, "a");
      expect(await settled(client.get(ConfigMap, "a"), runtime, 2000)).toMatchObject({ data: { key: "old" } });
      expect(isOutcomeUnknown(await settled(client.update(ConfigMap, map("a")), runtime, 2000))).toBe(true);
    });

    it("T8: a stale connection: a read is retried at once on another one, a write is not", async () => {
      const { client, runtime, server, opened } = await build([{ kind: "stale" }, { kind: "stale" }]);
      server.put("a", { key: "old" });
      await client.get(ConfigMap, "a");
      expect(await settled(client.get(ConfigMap, "a"), runtime)).toMatchObject({ data: { key: "old" } });
      expect(isOutcomeUnknown(await settled(client.update(ConfigMap, map("a")), runtime))).toBe(true);
      expect(opened()).toBe(2);
      expect(await client.get(ConfigMap, "a")).toMatchObject({ data: { key: "old" } });
    });

    it("T6, W13: sequential calls share one connection, every watch has one, and none is left open", async () => {
      const { client, server, opened, open } = await build([]);
      server.put("a", {});
      const watches = Array.from({ length: 3 }, () => client.watch(ConfigMap, { resourceVersion: "0" }));
      for (const watch of watches) expect((await watch.next()).value).toMatchObject({ type: "ADDED" });
      for (let call = 0; call < 50; call++) await client.get(ConfigMap, "a");
      expect([opened(), open(), server.watches()]).toEqual([4, 4, 3]);
      for (const watch of watches) await watch.return?.();
      await eventually(() => open() === 1 && server.watches() === 0);
    });

    it("T7: an old connection is replaced, so that a change of address is noticed", async () => {
      const { client, runtime, server, opened } = await build([], { limits: { keepAliveMs: 3_600_000 } });
      server.put("a", {});
      await client.get(ConfigMap, "a");
      await runtime.clock.advance(11 * 60_000);
      await client.get(ConfigMap, "a");
      expect(opened()).toBe(2);
    });

    it("T14, C12: a thousand concurrent calls, thousands in long mode, share 64 connections, and none fails", async () => {
      const { client, server, seen, opened } = await build([]);
      server.put("a", {});
      await Promise.all(Array.from({ length: manyCalls }, () => client.get(ConfigMap, "a")));
      expect(seen).toHaveLength(manyCalls);
      expect(opened()).toBeLessThanOrEqual(64);
    });
  });

  describe("responses that break", () => {
    it.each<[string, Fault, string | RegExp]>([
      ["closed in the middle", { kind: "cut", at: 10, how: "close" }, "aborted-by-peer"],
      ["reset in the middle", { kind: "cut", at: 10, how: "reset" }, /^(?:reset|aborted-by-peer)$/],
      ["closed before its first byte", { kind: "cut", at: 0, how: "close" }, "aborted-by-peer"],
      ["garbage in the middle", { kind: "garbled", afterBytes: 10 }, "garbage"],
      ["silence in the middle", { kind: "stalled", afterBytes: 10 }, "timeout"],
      // A system with pending bytes and a reset may report the end of the stream instead of the reset.
    ])("C8, T11: %s: a read has lost its response, a write has an unknown outcome", async (_name, fault, reason) => {
      const { client, runtime, server } = await build([fault, fault]);
      server.put("a", { key: "old" });
      const lost = await settled(client.get(ConfigMap, "a"), runtime, 60_000);
      expect(lost).toMatchObject({
        name: "ResponseError",
        reason: "lost",
        statusCode: 200,
        attempt: "get configmaps/a in shop",
        cause: { reason: expect.stringMatching(reason) as unknown },
      });
      const error = await settled(client.update(ConfigMap, map("a")), runtime, 60_000);
      expect(isOutcomeUnknown(error)).toBe(true);
      expect(await client.get(ConfigMap, "a")).toMatchObject({ data: { key: "new" } });
    });

    it("C9, T11: a byte per second is slow but continues; a longer pause than the limit fails; a deadline ends both", async () => {
      const slow: Fault = { kind: "slow", bytes: 1, everyMs: 1000 };
      const { client, runtime, server } = await build([slow, { ...slow, everyMs: 60_001 }, slow]);
      server.put("a", { key: "old" });
      const started = runtime.clock.monotonic();
      expect(await settled(client.get(ConfigMap, "a"), runtime, 600_000)).toMatchObject({ data: { key: "old" } });
      expect(runtime.clock.monotonic() - started).toBeGreaterThan(100_000);
      expect(await settled(client.get(ConfigMap, "a"), runtime, 600_000)).toMatchObject({
        reason: "lost",
        cause: { reason: "timeout", timeout: "idle" },
      });
      expect(await settled(client.get(ConfigMap, "a", { timeoutMs: 20_000 }), runtime, 20_000)).toBeInstanceOf(TimeoutError);
    });

    it.each<[string, ReturnType<typeof textResponse>, object]>([
      [
        "200 with a Status of failure",
        jsonResponse({ kind: "Status", apiVersion: "v1", status: "Failure", reason: "NotFound", message: "gone", code: 404 }),
        { name: "ApiError", reason: "NotFound" },
      ],
      [
        "a web page",
        textResponse("<html>Sign in</html>", { headers: { "content-type": "text/html" } }),
        { name: "ResponseError", reason: "content-type", message: expect.stringContaining("Sign in") as unknown },
      ],
      ["nothing", jsonResponse("", { headers: { "content-length": "0" } }), { name: "ResponseError" }],
      [
        "a truncated object",
        textResponse('{"kind":"ConfigMap","meta', { headers: { "content-type": "application/json" } }),
        { name: "ResponseError", reason: "lost" },
      ],
      [
        "malformed JSON",
        textResponse("{kind: ConfigMap}", { headers: { "content-type": "application/json" } }),
        { name: "ResponseError", reason: "json" },
      ],
      [
        "502 with a page of the proxy",
        textResponse("<html>Bad Gateway</html>", { status: 502, headers: { "content-type": "text/html" } }),
        { name: "ApiError", code: 502 },
      ],
    ])("C13: %s is a typed error", async (_name, response, expected) => {
      const given = response.body === '""' ? { ...response, body: "" } : response;
      const { client, runtime } = await build([{ kind: "answered", response: given }]);
      expect(await settled(client.get(ConfigMap, "a"), runtime)).toMatchObject(expected);
    });
  });

  describe("requests with Retry-After", () => {
    it.each([
      ["seconds", "7", 7000],
      ["a date", "Thu, 01 Jan 2026 00:00:07 GMT", 7000],
      ["a negative number", "-1", 0],
      ["a huge number", "86400", 60_000],
    ])("C7, T9: Retry-After with %s: reads and writes are retried then", async (_form, retryAfter, waitMs) => {
      const busy: Fault = {
        kind: "answered",
        response: textResponse("busy", { status: 429, headers: { "retry-after": retryAfter, date: "Thu, 01 Jan 2026 00:00:00 GMT" } }),
      };
      for (const call of [(client: Client) => client.get(ConfigMap, "a"), (client: Client) => client.update(ConfigMap, map("a"))]) {
        const { client, runtime, server } = await build([busy]);
        server.put("a", {});
        expect(await settled(call(client), runtime, 70_000)).toMatchObject({ kind: "ConfigMap" });
        expect(runtime.clock.monotonic()).toBeGreaterThanOrEqual(waitMs);
        expect(runtime.clock.monotonic()).toBeLessThanOrEqual(waitMs * 1.1);
      }
    });

    it("C7: without Retry-After the caller gets the typed error at once", async () => {
      const { client, runtime, seen } = await build([{ kind: "answered", response: textResponse("busy", { status: 429 }) }]);
      expect(await settled(client.get(ConfigMap, "a"), runtime)).toMatchObject({ name: "ApiError", reason: "TooManyRequests" });
      expect(seen).toEqual([]);
    });
  });

  describe("watches", () => {
    const bookmarked = { resourceVersion: "0", allowWatchBookmarks: true } as const;

    it("W1: a half-open connection is detected by its silence, before the first byte and after it, and closed", async () => {
      const { client, runtime, server, open } = await build([{ kind: "silent" }]);
      expect(await settled(client.watch(ConfigMap, bookmarked).next(), runtime, 125_000)).toMatchObject({
        name: "ResponseError",
        cause: { reason: "timeout", timeout: "headers" },
      });
      server.put("a", {});
      const watch = client.watch(ConfigMap, bookmarked);
      await watch.next();
      const before = runtime.clock.monotonic();
      expect(await settled(watch.next(), runtime, 125_000)).toMatchObject({ name: "WatchSilenceError" });
      expect(runtime.clock.monotonic() - before).toBe(125_000);
      await eventually(() => open() === 0 && server.watches() === 0);
    });

    it("T13: a watch with occasional events lasts for hours", async () => {
      const { client, runtime, server, opened } = await build([]);
      const watch = client.watch(ConfigMap, bookmarked);
      for (let event = 0; event < 100; event++) {
        const next = watch.next();
        await eventually(() => server.watches() === 1);
        await runtime.clock.advance(100_000);
        server.put("a", { event: String(event) });
        expect(await settled(next, runtime)).toMatchObject({ value: { object: { data: { event: String(event) } } } });
      }
      await watch.return?.();
      expect(opened()).toBe(1);
    });

    it("W16: events are complete for any chunk boundaries", async () => {
      const { client, runtime, server } = await build([{ kind: "slow", bytes: 1, everyMs: 1 }]);
      server.put("a", { key: "Grüße, 世界 \u2028 🚢" });
      expect(await settled(client.watch(ConfigMap, { resourceVersion: "0" }).next(), runtime, 10_000)).toMatchObject({
        value: { type: "ADDED", object: { data: { key: "Grüße, 世界 \u2028 🚢" } } },
      });
    });

    it.each([
      ["closed between events", { kind: "cut", at: 0, how: "close" }],
      ["cut within an event", { kind: "cut", at: 70, how: "close" }],
      ["reset", { kind: "cut", at: 70, how: "reset" }],
      ["garbled", { kind: "garbled", afterBytes: 70 }],
    ] as const)(
      "W14, C8: a watch that is %s throws, yields nothing incomplete, and loses nothing when resumed from the last version",
      async (_name, fault) => {
        const { client, runtime, server } = await build((__, index) => (index < 3 ? fault : undefined));
        for (const name of ["a", "b", "c"]) server.put(name, { from: name });
        const { events, failures } = (await settled(following(client, 3), runtime, 60_000)) as Followed;
        expect(events).toEqual(["ADDED a", "ADDED b", "ADDED c"]);
        expect(failures).toHaveLength(3);
      },
    );

    it.each([
      ["reset", 30_000, 10],
      ["close", 60_000, 10],
      // Here the client is faster: it gives up after 125 s of silence, twice while the proxy waits and once more in every other turn.
      ["close", 350_000, 30],
    ] as const)(
      "C11, W13: through a proxy that cuts (%s) a connection silent for %d ms, a watch loses no event and leaves no connection open",
      async (how, afterMs, cuts) => {
        const { client, runtime, server, open, opened } = await build(() => ({ kind: "tired", afterMs, how }));
        const done = following(client, 20);
        for (let event = 0; event < 20; event++) {
          await eventually(() => server.watches() === 1);
          await runtime.clock.advance(event % 2 === 0 ? afterMs / 2 : afterMs + 1);
          server.put(`m${event}`, {});
        }
        const { events, failures } = (await settled(done, runtime, 10_000)) as Followed;
        expect(events).toEqual(Array.from({ length: 20 }, (__, event) => `ADDED m${event}`));
        expect([failures.length, opened()]).toEqual([cuts, cuts + 1]);
        await eventually(() => open() === 0);
      },
    );
  });
});

interface Followed {
  readonly events: readonly string[];
  readonly failures: readonly unknown[];
}

/** Watches until so many events have arrived, each time from the last version: what a cache does, without its backoff. */
async function following(client: Client, count: number): Promise<Followed> {
  const events: string[] = [];
  const failures: unknown[] = [];
  for (let version = "0"; events.length < count;) {
    try {
      for await (const event of client.watch(ConfigMap, { resourceVersion: version })) {
        if (event.type === "ERROR") throw new Error(event.object.message);
        version = event.object.metadata.resourceVersion ?? version;
        events.push(`${event.type} ${event.object.metadata.name}`);
        if (events.length === count) break;
      }
    } catch (error) {
      failures.push(error);
    }
  }
  return { events, failures };
}
