/** Rows of the catalogue over real sockets: a scripted API behind a server on loopback, on a manual clock. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { ConfigMap } from "@drover/api/core/v1";
import { nodeTransport } from "@drover/client";
import { encodeJson, encodeWatchEvent } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import { listWatcher } from "../source/late-list-watcher.ts";
import { createReflector } from "../reflector/reflector.ts";
import { MapSink } from "../testing/map-sink.ts";
import { contentDifferences, writeTo } from "../testing/reflector-rig.ts";
import { ScriptedApi } from "../testing/scripted-api.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const soon = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);

/** Forwards requests to the scripted API, and its responses and faults to the socket. */
async function forward(api: ScriptedApi, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  try {
    const { status, headers, body } = await api.transport({
      method: request.method ?? "GET",
      path: request.url ?? "/",
      headers: {},
      signal: gone.signal,
    });
    response.writeHead(status, headers as Record<string, string>);
    if (typeof body === "string" || body instanceof Uint8Array) return void response.end(body);
    response.flushHeaders();
    for await (const chunk of body) response.write(chunk);
    response.end();
  } catch {
    response.socket?.destroy();
  }
}

async function socketRig() {
  const clock = new ManualClock({ quietTurns: 3, turn: soon });
  const runtime = testRuntime({ clock });
  const api = new ScriptedApi({ clock, random: runtime.random.stream("api") });
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void forward(api, request, response));
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const transport = nodeTransport({
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tls: () => Promise.resolve({ generation: 1, insecure: false }),
    clock,
    log: runtime.log,
  });
  const sink = new MapSink<ConfigMap>();
  const reflector = createReflector<ConfigMap>({
    source: listWatcher({ transport, clock, kind: ConfigMap, namespace: "*" }),
    sink,
    runtime,
  });
  const stopped = new AbortController();
  const running = reflector.run(stopped.signal);
  cleanups.push(async () => {
    stopped.abort();
    await running;
    transport.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => void server.close(resolve));
  });
  const differences = (): string[] => contentDifferences(api, sink.contents());
  /** Lets the sockets work and advances the clock by a tenth of a second from time to time, until the condition holds. */
  const eventually = async (holds: () => boolean): Promise<void> => {
    for (let turn = 0; turn < 3000 && !holds(); turn++) {
      await soon();
      if (turn % 10 === 9) await clock.advance(100);
    }
    expect(holds()).toBe(true);
  };
  return {
    clock,
    api,
    sink,
    reflector,
    sockets,
    differences,
    eventually,
    write: writeTo(api),
    equal: () => eventually(() => reflector.hasSynced() && differences().length === 0),
  };
}

describe("Reflector over real sockets", () => {
  it("A1: a half-open connection is dropped after 125 s of silence and resumed without a list (§9.5)", async () => {
    const rig = await socketRig();
    rig.write(...names(20));
    await rig.equal();
    rig.api.halfOpen();
    rig.write(...names(10), "later");
    await rig.clock.advance(124_000);
    expect(rig.differences()).not.toEqual([]);
    await rig.clock.advance(2000);
    await rig.equal();
    expect(rig.reflector.state()).toMatchObject({ lists: 1, watches: 2 });
    await rig.eventually(() => rig.sockets.size <= 1);
  });

  it("A4: a server restarted without history is relisted once, and deleted objects are removed", async () => {
    const rig = await socketRig();
    rig.write(...names(20));
    await rig.equal();
    rig.api.restart();
    rig.api.remove("shop/n1");
    rig.write("n2");
    rig.api.compact();
    await rig.equal();
    expect(rig.reflector.state().lists).toBe(2);
    expect(rig.sink.wentBack).toEqual([]);
  });

  it("A12: a stream that breaks anywhere within an event is resumed without lost or repeated events", async () => {
    const rig = await socketRig();
    rig.write("a");
    await rig.equal();
    const line = new TextEncoder().encode(
      encodeWatchEvent(
        "ADDED",
        encodeJson({
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { namespace: "shop", name: "ü😀", resourceVersion: "3", uid: "uid-2" },
        }),
      ),
    );
    for (let cutAt = 1; cutAt < line.length; cutAt += 11) {
      // Long enough for the stream to count as one that worked.
      await rig.clock.advance(11_000);
      await rig.eventually(() => rig.api.watches.length === 1);
      rig.api.raw(line.subarray(0, cutAt));
      rig.api.cut();
      await rig.eventually(() => rig.reflector.state().phase !== "watching" || rig.api.watches.length === 1);
    }
    rig.write("ü😀");
    await rig.equal();
    expect(rig.sink.calls.filter((call) => call.includes("ü"))).toEqual(["ADDED shop/ü😀 @3"]);
    expect(rig.reflector.state().lists).toBe(1);
  });

  it("A13: a line of 3 MiB arrives completely", async () => {
    const rig = await socketRig();
    rig.api.put({ metadata: { namespace: "shop", name: "big" }, data: { text: "ü".repeat(3 << 19) } });
    rig.write("small");
    await rig.equal();
    expect(rig.sink.versions.get("shop/big")?.object.data?.["text"]).toHaveLength(3 << 19);
    expect(rig.reflector.state().watches).toBe(1);
  });

  it("A15, A16: junk ends the stream, which is resumed; repeated and blank lines are ignored", async () => {
    const rig = await socketRig();
    rig.write("a");
    await rig.equal();
    const again = encodeWatchEvent("ADDED", encodeJson({ apiVersion: "v1", kind: "ConfigMap", ...rig.api.objects.get("shop/a") }));
    rig.api.raw(`\n\r\n${again}${again}`);
    rig.write("b");
    await rig.equal();
    expect(rig.reflector.state()).toMatchObject({ watches: 1, refused: 2 });
    await rig.clock.advance(2000);
    rig.api.raw("<html>502</html>\n");
    rig.write("c");
    await rig.equal();
    expect(rig.reflector.state()).toMatchObject({ watches: 2, lists: 1 });
  });

  it("A2: a broken socket or an unreachable server does not end the reflector", async () => {
    const rig = await socketRig();
    rig.write("a");
    await rig.equal();
    for (let turn = 0; turn < 5; turn++) {
      for (const socket of rig.sockets) socket.destroy();
      rig.write(`n${turn}`);
      await rig.equal();
    }
    expect(rig.sink.wentBack).toEqual([]);
    expect(rig.api.openMax).toBeLessThanOrEqual(2);
  });
});
