/**
 * Like canary-calls.test.ts, with real sockets: requests, WebSockets and proxies on loopback, each failing in its own way,
 * with a canary as the token and as the proxy's password. The clock stands still unless a test advances it.
 */
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { inspect } from "node:util";
import { Pod } from "@drover/api/core/v1";
import { Secret } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import { createClient } from "../verbs/client.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import { exec } from "../streams/command-run.ts";
import { canary, canaryIn, everyForm } from "../testing/canary.ts";
import { memoryHost } from "../testing/memory-host.ts";
import { clusterTransport } from "../transport/cluster-transport.ts";
import { nodeTransport } from "../transport/node-transport.ts";
import { nodeWebSocket } from "../transport/node-web-socket.ts";

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Answers a connection as soon as it has received something. */
async function listening(answer: (socket: Socket) => void): Promise<{ readonly server: Server; readonly port: number }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", () => answer(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => void server.close(resolve));
  });
  return { server, port: (server.address() as AddressInfo).port };
}

const status = (code: number): string => {
  const body = JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code, message: "no" });
  return `HTTP/1.1 ${code} No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
};

const answers: Readonly<Record<string, (socket: Socket) => void>> = {
  "that closes": (socket) => void socket.end(),
  "that resets": (socket) => void socket.resetAndDestroy(),
  "that is not an HTTP server": (socket) => void socket.write("SSH-2.0-what\r\n\r\n"),
  "that rejects the password": (socket) => void socket.write("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n"),
  "that answers 401": (socket) => void socket.write(status(401)),
  "that answers 500": (socket) => void socket.write(status(500)),
  "that truncates the response": (socket) =>
    void socket.end("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"),
  "that answers like a SOCKS proxy": (socket) => void socket.write(new Uint8Array([5, 2])),
  "that is silent": () => undefined,
};

const ways: Readonly<Record<string, (port: number) => Partial<ClusterAccess>>> = {
  "a server": (port) => ({ server: `http://127.0.0.1:${port}` }),
  "a server with TLS": (port) => ({ server: `https://127.0.0.1:${port}` }),
  "an HTTP proxy": (port) => ({ server: "http://api.example:6443", proxyUrl: new Secret(`http://me:${canary}@127.0.0.1:${port}`) }),
  "a proxy with TLS": (port) => ({ server: "https://api.example:6443", proxyUrl: new Secret(`https://me:${canary}@127.0.0.1:${port}`) }),
  "a SOCKS proxy": (port) => ({ server: "https://api.example:6443", proxyUrl: new Secret(`socks5://me:${canary}@127.0.0.1:${port}`) }),
};

describe.each(Object.entries(ways))("a canary sent through %s", (_, wayTo) => {
  it.each([...Object.entries(answers), ["that is not there", undefined] as const])("appears in no output: %s", async (__, answer) => {
    const clock = new ManualClock({ quietTurns: 3, turn: () => new Promise((resolve) => void setImmediate(resolve)) });
    const runtime = testRuntime({ clock });
    const shown: unknown[] = [];
    const { port } = await listening(answer ?? ((socket) => void socket.destroy()));
    if (answer === undefined) await cleanups.pop()?.();
    const transport = clusterTransport(
      { server: "", trust: {}, credentials: { token: new Secret(canary) }, namespace: "shop", ...wayTo(port) },
      {
        ...runtime,
        host: memoryHost(),
        isPair: () => true,
        userAgent: "test",
        retry: { retriesMax: 1 },
        onRequest: (request) => (outcome) => void shown.push(request, outcome),
        connect: (options) => {
          shown.push(options);
          return nodeTransport(options);
        },
      },
    );
    cleanups.push(() => transport.close());
    shown.push(transport, transport.webSocket);
    const client = createClient({ transport, ...runtime, namespace: "shop" });
    const controller = new AbortController();
    const { signal } = controller;
    const all = Promise.all(
      [
        client.get(Pod, "web", { signal }),
        client.create(Pod, { metadata: { name: "web" }, spec: { containers: [] } }, { signal }),
        client.watch(Pod, { signal }).next(),
        exec(nodeWebSocket(transport.webSocket), { namespace: "shop", name: "web" }, { command: ["true"], signal }),
      ].map((call) => call.catch((error: unknown) => error)),
    );
    const progress = { isOver: false };
    const over = all.then(() => void (progress.isOver = true));
    for (let turn = 0; !progress.isOver && turn < 200; turn++) await clock.advance(turn < 100 ? 20 : 1000);
    controller.abort(new Error("enough"));
    await over;
    const errors = await all;
    shown.push(...errors);
    expect(errors.every((error) => error instanceof Error)).toBe(true);
    expect(
      canaryIn(
        [
          ...shown.map((value) => everyForm(value, inspect)),
          ...runtime.log.lines,
          ...runtime.log.entries.map((entry) => everyForm(entry, inspect)),
        ].join("\n"),
      ),
    ).toBeUndefined();
  });
});
