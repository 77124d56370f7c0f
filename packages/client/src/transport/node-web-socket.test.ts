import { createServer as createHttpServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import { connect as connectTcp, createServer as createTcpServer } from "node:net";
import type { AddressInfo, Server as TcpServer, Socket } from "node:net";
import { inspect } from "node:util";
import { Secret } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";
import type { CredentialSource } from "../auth/credential-source.ts";
import { exec } from "../streams/command-run.ts";
import type { WebSocketRequest } from "../streams/web-socket.ts";
import { nodeWebSocket } from "./node-web-socket.ts";
import type { NodeWebSocketOptions } from "./node-web-socket.ts";

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const manualClock = (): ManualClock => new ManualClock({ quietTurns: 3, turn });
/** Lets sockets run until the condition holds; the test's timeout ends a wait that never does. */
async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}
const tls = (): Promise<{ generation: number; insecure: boolean }> => Promise.resolve({ generation: 1, insecure: false });
const open: (() => void)[] = [];
afterEach(() => open.splice(0).forEach((close) => close()));

interface Peer {
  readonly url: string;
  readonly headers: IncomingHttpHeaders[];
  readonly urls: string[];
}

async function listen(server: Server | TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  open.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A WebSocket server on loopback; `refuse` may answer a handshake itself. */
async function peer(
  serve: (ws: WebSocket) => void,
  refuse: (request: IncomingMessage) => { status: number; body: string } | undefined = () => undefined,
): Promise<Peer> {
  const headers: IncomingHttpHeaders[] = [];
  const urls: string[] = [];
  const server = createHttpServer();
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (protocols) => [...protocols][0] ?? false });
  server.on("upgrade", (request, socket, head) => {
    headers.push(request.headers);
    urls.push(request.url ?? "");
    const refusal = refuse(request);
    if (refusal === undefined) sockets.handleUpgrade(request, socket, head, serve);
    else socket.end(`HTTP/1.1 ${refusal.status} No\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n${refusal.body}`);
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, headers, urls };
}

const connectTo = (
  server: string,
  options: Partial<NodeWebSocketOptions> = {},
): ((request?: Partial<WebSocketRequest>) => ReturnType<ReturnType<typeof nodeWebSocket>>) => {
  const connect = nodeWebSocket({ server, tls, clock: manualClock(), ...options });
  return (request = {}) => connect({ path: "/exec?command=ls", headers: {}, protocols: ["v5.channel.k8s.io"], ...request });
};

const echo = (ws: WebSocket): void => void ws.on("message", (data: Buffer, isBinary) => ws.send(data, { binary: isBinary }));

describe("nodeWebSocket", () => {
  it("carries text and bytes both ways and closes cleanly", async () => {
    const { url, urls } = await peer(echo);
    const channel = await connectTo(`${url}/k8s/clusters/c-1`)();
    expect(channel.protocol).toBe("v5.channel.k8s.io");
    expect(urls).toEqual(["/k8s/clusters/c-1/exec?command=ls"]);
    const iterator = channel.messages[Symbol.asyncIterator]();
    await channel.send("text");
    await channel.send(Uint8Array.of(0, 255));
    expect((await iterator.next()).value).toBe("text");
    expect((await iterator.next()).value).toEqual(Uint8Array.of(0, 255));
    await channel.close();
    await channel.close();
    expect(await channel.closed).toEqual({ code: 1000, reason: "" });
    expect((await iterator.next()).done).toBe(true);
    await expect(channel.send("late")).rejects.toMatchObject({ name: "StreamError", reason: "lost" });
  });

  it("yields everything that arrived before the other side closed", async () => {
    const { url } = await peer((ws) => {
      for (let index = 0; index < 100; index++) ws.send(Buffer.alloc(10_000, index));
      ws.close(1000, "done");
    });
    const channel = await connectTo(url)();
    const seen: number[] = [];
    for await (const message of channel.messages) seen.push((message as Uint8Array)[0] ?? -1);
    expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect(await channel.closed).toEqual({ code: 1000, reason: "done" });
  });

  it("throws with code and reason if the other side closes with an error, and if the connection breaks", async () => {
    const unhappy = await connectTo((await peer((ws) => ws.close(1011, "kaputt"))).url)();
    await expect(unhappy.messages[Symbol.asyncIterator]().next()).rejects.toThrow("closed with code 1011: kaputt");
    const gone = await connectTo((await peer((ws) => ws.terminate())).url)();
    await expect(gone.messages[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: "StreamError", reason: "lost" });
  });

  it("slows the sender down if messages are not read", async () => {
    let buffered = (): number => 0;
    const { url } = await peer((ws) => {
      buffered = () => ws.bufferedAmount;
      for (let index = 0; index < 64; index++) ws.send(Buffer.alloc(1024 * 1024));
      ws.close(1000);
    });
    const channel = await connectTo(url)();
    const iterator = channel.messages[Symbol.asyncIterator]();
    await iterator.next();
    // While anything moves; without backpressure, until nothing is left.
    for (let quiet = 0, last = -1; quiet < 200; quiet = buffered() === last ? quiet + 1 : 0) {
      last = buffered();
      await turn();
    }
    expect(buffered()).toBeGreaterThan(16 * 1024 * 1024);
    let count = 1;
    while ((await iterator.next()).done !== true) count++;
    expect(count).toBe(64);
  });

  it("rejects with the server's response if it refuses", async () => {
    const { url } = await peer(echo, () => ({ status: 404, body: '{"kind":"Status"}' }));
    await expect(connectTo(url)()).rejects.toMatchObject({
      name: "UpgradeRefusedError",
      status: 404,
      body: '{"kind":"Status"}',
      headers: { "content-type": "application/json" },
    });
  });

  it("throws without a listener, and if the other side does not use WebSocket", async () => {
    await expect(connectTo("http://127.0.0.1:9")()).rejects.toMatchObject({ name: "TransportError", reason: "refused" });
    const server = createHttpServer();
    server.on("upgrade", (_request, socket) =>
      socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: wrong\r\n\r\n"),
    );
    await expect(connectTo(`http://127.0.0.1:${await listen(server)}`)()).rejects.toMatchObject({
      name: "StreamError",
      reason: "protocol",
    });
  });
});

describe("credentials of a WebSocket", () => {
  const canary = "canary-4711";

  function source(...values: readonly string[]): CredentialSource & { refusals: number } {
    let index = 0;
    return {
      refusals: 0,
      header: () => Promise.resolve(new Secret(`Bearer ${values[index] ?? ""}`)),
      refused(this: { refusals: number }) {
        this.refusals++;
        return Promise.resolve(++index < values.length);
      },
    };
  }

  it("are sent with the headers of the options and the request", async () => {
    const { url, headers } = await peer(echo);
    const channel = await connectTo(url, {
      credentials: source(canary),
      headers: { "user-agent": "drover", "impersonate-group": ["a", "b"] },
    })({ headers: { "x-request": "1" } });
    expect(headers[0]).toMatchObject({
      authorization: `Bearer ${canary}`,
      "user-agent": "drover",
      "x-request": "1",
      "impersonate-group": "a, b",
    });
    expect(inspect(channel, { depth: 20, showHidden: true })).not.toContain(canary);
    await channel.close();
  });

  it("are requested once more after a 401, and only once", async () => {
    const wanted =
      (value: string) =>
      ({ headers }: IncomingMessage) =>
        headers.authorization === `Bearer ${value}` ? undefined : { status: 401, body: "" };
    const good = source("old", "new");
    const { url, headers } = await peer(echo, wanted("new"));
    await (await connectTo(url, { credentials: good })()).close();
    expect(headers.map(({ authorization }) => authorization)).toEqual(["Bearer old", "Bearer new"]);

    const bad = await peer(echo, wanted("other"));
    const failure: unknown = await connectTo(bad.url, { credentials: source(canary, canary, canary) })().catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 401 });
    expect(bad.headers).toHaveLength(2);
    expect(inspect(failure, { depth: 20, showHidden: true })).not.toContain(canary);
  });

  it("are not requested again if there is no other", async () => {
    const { url, headers } = await peer(echo, () => ({ status: 401, body: "" }));
    await expect(connectTo(url, { credentials: source("only") })()).rejects.toMatchObject({ status: 401 });
    expect(headers).toHaveLength(1);
  });
});

describe("signal and clock of a WebSocket", () => {
  it("end the connection at once, for readers and senders", async () => {
    const { url } = await peer(echo);
    const controller = new AbortController();
    const channel = await connectTo(url)({ signal: controller.signal });
    const next = channel.messages[Symbol.asyncIterator]().next();
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
    await expect(channel.send("x")).rejects.toBe(reason);
    expect((await channel.closed).code).toBe(1006);
  });

  it("end the connection at once, also with unread messages", async () => {
    const { url } = await peer((ws) => ws.send("unread"));
    const controller = new AbortController();
    const channel = await connectTo(url)({ signal: controller.signal });
    for (let turns = 0; turns < 10; turns++) await turn();
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(channel.messages[Symbol.asyncIterator]().next()).rejects.toBe(reason);
  });

  it("do not mistake a slow reader for a dead peer", async () => {
    const clock = manualClock();
    const { url } = await peer((ws) => {
      for (let index = 0; index < 32; index++) ws.send(Buffer.alloc(1024 * 1024));
      ws.close(1000);
    });
    const channel = await connectTo(url, { clock })();
    const iterator = channel.messages[Symbol.asyncIterator]();
    let count = 0;
    for (; count < 2; count++) await iterator.next();
    for (let steps = 0; steps < 30; steps++) await clock.advance(5000);
    while ((await iterator.next()).done !== true) count++;
    expect(count).toBe(32);
  });

  it("are not needed to close with unread messages", async () => {
    let code = 0;
    const { url } = await peer((ws) => {
      ws.on("close", (with_) => (code = with_));
      for (let index = 0; index < 32; index++) ws.send(Buffer.alloc(1024 * 1024));
    });
    const channel = await connectTo(url)();
    await channel.messages[Symbol.asyncIterator]().next();
    for (let turns = 0; turns < 20; turns++) await turn();
    await channel.close();
    expect(await channel.closed).toEqual({ code: 1000, reason: "" });
    await eventually(() => code === 1000);
  });

  it("end the handshake", async () => {
    let asked = 0;
    const server = createHttpServer();
    server.on("upgrade", () => asked++);
    const url = `http://127.0.0.1:${await listen(server)}`;
    const controller = new AbortController();
    const reason = new Error("enough");
    const aborted = connectTo(url)({ signal: controller.signal }).catch((error: unknown) => error);
    await eventually(() => asked === 1);
    controller.abort(reason);
    expect(await aborted).toBe(reason);
    await expect(connectTo(url)({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);

    const clock = manualClock();
    const late = connectTo(url, { clock })().catch((error: unknown) => error);
    const later = connectTo(url, { clock, connectTimeoutMs: 70_000 })().catch((error: unknown) => error);
    await eventually(() => asked === 3);
    expect(clock.pending).toEqual([60_000, 70_000]);
    await clock.advance(70_000);
    expect(await late).toMatchObject({
      name: "TransportError",
      reason: "timeout",
      sent: "maybe",
      message: expect.stringContaining("no WebSocket after 60000 ms") as string,
    });
    expect(await later).toMatchObject({ name: "TransportError", reason: "timeout" });

    const silent = createTcpServer((socket) => void socket.resume());
    const stalled = connectTo(`https://127.0.0.1:${await listen(silent)}`, { clock })().catch((error: unknown) => error);
    await eventually(() => clock.pending.includes(60_000));
    await clock.advance(60_000);
    expect(await stalled).toMatchObject({ reason: "timeout", timeout: "connect", sent: "no" });
  });

  it("ping the other side, and close without a pong", async () => {
    const clock = manualClock();
    const pings: number[] = [];
    // It receives and never responds: a peer whose host has died looks the same.
    const { url } = await peer((ws) => {
      ws.on("ping", () => pings.push(clock.monotonic()));
      Object.assign(ws, { pong: () => undefined });
    });
    const channel = await connectTo(url, { clock })();
    const next = channel.messages[Symbol.asyncIterator]()
      .next()
      .catch((error: unknown) => error);
    for (let count = 1; count <= 12; count++) {
      await clock.advance(5000);
      await eventually(() => pings.length === count);
    }
    expect(pings.slice(0, 2)).toEqual([5000, 10_000]);
    await clock.advance(5000);
    expect(await next).toMatchObject({ name: "StreamError", reason: "lost", message: "the other side has been silent for 61000 ms" });
    await channel.closed;
    expect(clock.pending).toEqual([]);
  });

  it("keep a quiet connection whose peer responds", async () => {
    const clock = manualClock();
    let pings = 0;
    const { url } = await peer((ws) => {
      echo(ws);
      ws.on("ping", () => pings++);
    });
    const channel = await connectTo(url, { clock, pingIntervalMs: 1000, silenceTimeoutMs: 5000 })();
    for (let count = 1; count <= 20; count++) {
      await clock.advance(1000);
      await eventually(() => pings === count);
      for (let turns = 0; turns < 5; turns++) await turn();
    }
    await channel.send("still there");
    expect((await channel.messages[Symbol.asyncIterator]().next()).value).toBe("still there");
    await channel.close();
    expect(clock.pending).toEqual([]);
  });

  it("limit the wait for the peer's close", async () => {
    const clock = manualClock();
    const { url } = await peer((ws) => ws.pause());
    const channel = await connectTo(url, { clock })();
    const closing = channel.close();
    await clock.advance(5000);
    await closing;
    expect((await channel.closed).code).toBe(1006);
    expect(clock.pending).toEqual([]);
  });
});

describe("a WebSocket through a proxy", () => {
  async function proxy(): Promise<{ url: string; asked: string[] }> {
    const asked: string[] = [];
    const server = createHttpServer((_request: IncomingMessage, response: ServerResponse) => response.end());
    server.on("connect", (request, client: Socket) => {
      asked.push(`${request.url} ${request.headers["proxy-authorization"] ?? "-"}`);
      if (request.headers["proxy-authorization"] === undefined) return client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      const [host, port] = (request.url ?? "").split(":");
      const upstream = connectTcp(Number(port), host, () => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        upstream.pipe(client).pipe(upstream);
      });
      upstream.on("error", () => client.destroy());
      client.on("error", () => upstream.destroy());
      return undefined;
    });
    return { url: `127.0.0.1:${await listen(server)}`, asked };
  }

  it("sends CONNECT with its credentials, and names the proxy if it refuses", async () => {
    const { url } = await peer(echo);
    const { url: proxyAddress, asked } = await proxy();
    const channel = await connectTo(url, { proxyUrl: `http://me:secret@${proxyAddress}` })();
    await channel.send("through");
    expect((await channel.messages[Symbol.asyncIterator]().next()).value).toBe("through");
    await channel.close();
    expect(asked).toEqual([`${url.slice(7)} Basic ${Buffer.from("me:secret").toString("base64")}`]);
    await expect(connectTo(url, { proxyUrl: `http://${proxyAddress}` })()).rejects.toMatchObject({
      name: "TransportError",
      reason: "proxy",
    });
  });

  it("bypasses it for servers in noProxy", async () => {
    const { url } = await peer(echo);
    const { url: proxyAddress, asked } = await proxy();
    await (await connectTo(url, { proxyUrl: `http://${proxyAddress}`, noProxy: "127.0.0.1" })()).close();
    expect(asked).toEqual([]);
  });
});

describe("exec over sockets", () => {
  it("runs a command with its input and output", async () => {
    const { url, urls } = await peer((ws) => {
      let input = "";
      ws.on("message", (data: Buffer) => {
        if (data[0] === 0) input += data.subarray(1).toString("utf8");
        if (data[0] !== 255) return;
        ws.send(Buffer.concat([Buffer.of(1), Buffer.from(input.toUpperCase())]));
        ws.send(Buffer.concat([Buffer.of(3), Buffer.from('{"metadata":{},"status":"Success"}')]));
        ws.close(1000);
      });
    });
    let out = "";
    const stdin = (async function* () {
      for (let index = 0; index < 50; index++) yield await Promise.resolve("x".repeat(100_000));
    })();
    const code = await exec(
      nodeWebSocket({ server: url, tls, clock: manualClock() }),
      { namespace: "shop", name: "web-0" },
      { command: ["tr", "a-z", "A-Z"], stdin, stdout: (bytes) => void (out += Buffer.from(bytes).toString("utf8")) },
    );
    expect(code).toBe(0);
    expect(out).toBe("X".repeat(5_000_000));
    expect(urls[0]).toContain("/pods/web-0/exec?command=tr&command=a-z&command=A-Z&stdin=true&stdout=true");
  });
});
