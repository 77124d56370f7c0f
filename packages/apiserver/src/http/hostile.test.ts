import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { certificateAuthority } from "@drover/machinery/x509";
import { listen } from "./listener.ts";
import type { ListenOptions } from "./listen-options.ts";
import type { Listener } from "./listener.ts";
import { nodeCrypto } from "@drover/machinery/node";

/** How long a hostile client may occupy the server; the best of three counts, because the machine may be busy. */
const patienceMs = 100;

const clock = new ManualClock();
const log = recordingLog(clock);
const seen: HttpRequest[] = [];
const ends: (() => Promise<void>)[] = [];

/** A small handler: answers with the length of the body; a watch stays silent until it is over. */
async function handle(request: HttpRequest): Promise<HttpResponse> {
  seen.push(request);
  if (request.path.startsWith("/watch")) return { status: 200, headers: {}, body: silence(request) };
  let length = 0;
  if (request.body instanceof Uint8Array) ({ length } = request.body);
  else if (request.body !== undefined) for await (const chunk of request.body as AsyncIterable<string>) ({ length } = chunk);
  return { status: 200, headers: { "x-length": String(length) }, body: "fine" };
}

async function* silence({ signal }: HttpRequest): AsyncGenerator<string> {
  await new Promise<void>((resolve) => {
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
  yield "over\n";
}

async function start(options: Partial<ListenOptions> = {}): Promise<Listener> {
  const listener = await listen({ connection: () => handle, tls: "none", clock, log, ...options });
  const control = new AbortController();
  const running = listener.run(control.signal);
  ends.push(() => {
    control.abort();
    return running;
  });
  return listener;
}

/** Returns what arrived until the response was complete or the connection closed. */
function exchange(port: number, ...writes: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket: Socket = connect(port, "127.0.0.1");
    const finish = (): void => {
      socket.destroy();
      resolve(text === "" ? "closed" : text);
    };
    socket
      .on("error", () => undefined)
      .on("close", finish)
      .on("data", (chunk) => {
        text += chunk.toString("latin1");
        const head = text.indexOf("\r\n\r\n");
        const length = /^content-length: ([0-9]+)/im.exec(text)?.[1];
        if (head !== -1 && length !== undefined && text.length >= head + 4 + Number(length)) finish();
      });
    for (const part of writes) socket.write(part);
  });
}

const statusOf = (answer: string): string => /^HTTP\/1\.1 ([0-9]{3})/.exec(answer)?.[1] ?? answer;

const get = "GET /ok HTTP/1.1\r\nHost: localhost\r\n";
const post = "POST /ok HTTP/1.1\r\nHost: localhost\r\n";
const smuggled = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** Name, bytes sent, expected status; a list where several are acceptable. */
const cases: readonly (readonly [string, string | Buffer, string])[] = [
  ["bytes that are no text", Buffer.from([0, 1, 2, 3, 0xff, 0xfe, 13, 10, 13, 10]), "400"],
  ["a TLS handshake on a port without TLS", Buffer.from("16030100c8010000c40303", "hex"), "400"],
  ["a head without an end, of 100 kB", `${get}X: ${"a".repeat(100_000)}`, "431"],
  ["a path of 100 kB", `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, "431"],
  ["ten thousand headers", `${get}${"a:b\r\n".repeat(10_000)}\r\n`, "431"],
  ["a length and chunks", `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`, "400"],
  ["chunks and a length", `${post}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${smuggled}`, "400"],
  ["two lengths", `${post}Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`, "400"],
  ["two lengths in one", `${post}Content-Length: 0, 0\r\n\r\n`, "400"],
  ["a negative length", `${post}Content-Length: -1\r\n\r\n`, "400"],
  ["a length with a sign", `${post}Content-Length: +1\r\n\r\na`, "400"],
  ["a length that is no number", `${post}Content-Length: 1e1\r\n\r\n`, "400"],
  ["a length beyond all numbers", `${post}Content-Length: 99999999999999999999999\r\n\r\n`, "400"],
  ["an unknown encoding", `${post}Transfer-Encoding: xchunked\r\n\r\n`, "501"],
  ["chunks that are not the last encoding", `${post}Transfer-Encoding: chunked, gzip\r\n\r\n`, "400"],
  ["an encoding before the chunks (SEC22)", `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, "501"],
  ["chunks twice (SEC22)", `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, "400"],
  ["a chunk that is no number", `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, "400"],
  ["a chunk beyond all numbers", `${post}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`, "400"],
  ["a chunk longer than it says", `${post}Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n`, "400"],
  ["a chunk with endless extensions", `${post}Transfer-Encoding: chunked\r\n\r\n1;${"a".repeat(100_000)}`, "413"],
  ["an address of another host", "GET http://evil.com/ok HTTP/1.1\r\nHost: localhost\r\n\r\n", "403"],
  ["another host", "GET /ok HTTP/1.1\r\nHost: evil.com\r\n\r\n", "403"],
  ["no host", "GET /ok HTTP/1.1\r\n\r\n", "400"],
  ["two hosts", `${get}Host: evil.com\r\n\r\n`, "400"],
  ["a page of another origin", `${get}Origin: https://evil.com\r\n\r\n`, "403"],
  ["a NUL in the path", "GET /o\0k HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"],
  ["a NUL in a value", `${get}X: a\0b\r\n\r\n`, "400"],
  ["a NUL in a name", `${get}X\0: a\r\n\r\n`, "400"],
  ["a lone CR in a value", `${get}X: a\rY: b\r\n\r\n`, "400"],
  ["a blank before the colon", `${get}X : a\r\n\r\n`, "400"],
  ["a header that goes on in the next line", `${get} X: a\r\n\r\n`, "400"],
  ["a blank in the path", "GET /ok /x HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"],
  ["HTTP 0.9", "GET /ok\r\n\r\n", "400"],
  ["HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400"],
  ["a version that does not exist", "GET /ok HTTP/9.9\r\nHost: localhost\r\n\r\n", "400"],
  ["a method that does not exist", "FOO /ok HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"],
  ["the server as a whole", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"],
  ["a tunnel to elsewhere", "CONNECT evil.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", "closed"],
  ["an unsupported expectation", `${post}Expect: miracles\r\n\r\n`, "417"],
  ["a body that is too large by its length", `${post}Content-Length: 5000\r\n\r\n`, "413"],
  ["a body that is too large by its chunks", `${post}Transfer-Encoding: chunked\r\n\r\n1000\r\n${"a".repeat(4096)}`, "413"],
  ["a body that is far too large", `${post}Content-Length: 99999999\r\n\r\n${"a".repeat(100_000)}`, "closed"],
];

describe("a hostile HTTP client", () => {
  let port = 0;
  beforeAll(async () => {
    ({ port } = await start({ limits: { bodyBytesMax: 2000, pipelineMax: 4 } }));
  });
  afterEach(async () => {
    // The next client must still be served.
    expect(statusOf(await exchange(port, `${get}\r\n`))).toBe("200");
    seen.length = 0;
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
  afterAll(async () => {
    for (const end of ends.splice(0)) await end();
  });

  it.each(cases)("that sends %s gets a response at once", async (_, sent, expected) => {
    const times: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const startMs = performance.now();
      const answer = await exchange(port, sent);
      times.push(performance.now() - startMs);
      expect(statusOf(answer)).toBe(expected);
      if (Math.min(...times) < patienceMs) break;
    }
    expect(Math.min(...times)).toBeLessThan(patienceMs);
    expect(seen.map(({ path }) => path).filter((path) => path !== "/ok")).toEqual([]);
  });

  it("cannot inject headers through line breaks", async () => {
    const { port: other } = await start({
      connection: () => () => Promise.resolve({ status: 200, headers: { location: "/x\r\nset-cookie: a=b" }, body: "" }),
    });
    const answer = await exchange(other, `${get}\r\n`);
    expect(statusOf(answer)).toBe("500");
    expect(answer).not.toContain("set-cookie");
  });

  it("cannot pollute prototypes through header names", async () => {
    expect(statusOf(await exchange(port, `${get}__proto__: polluted\r\nconstructor: polluted\r\n\r\n`))).toBe("200");
    expect(Object.keys(seen[0]?.headers ?? {})).toEqual(["host", "__proto__", "constructor"]);
  });

  it("cannot smuggle headers as trailers", async () => {
    expect(
      statusOf(
        await exchange(
          port,
          `${post}Transfer-Encoding: chunked\r\nTrailer: X-Role\r\n\r\n3\r\nabc\r\n0\r\nX-Role: admin\r\nImpersonate-User: root\r\n\r\n`,
        ),
      ),
    ).toBe("200");
    expect(Object.keys(seen[0]?.headers ?? {})).toEqual(["host", "transfer-encoding", "trailer"]);
  });

  it("that disconnects within its body does not reach the handler", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.end(`${post}Content-Length: 100\r\n\r\nabc`);
    await new Promise<void>((resolve) => void socket.on("close", () => resolve()).resume());
    expect(seen).toEqual([]);
  });

  it("that pipelines too many requests is disconnected", async () => {
    const answer = await exchange(port, "GET /watch HTTP/1.1\r\nHost: localhost\r\n\r\n", smuggled.repeat(50));
    expect(["200", "closed"]).toContain(statusOf(answer));
    expect(seen.map(({ path }) => path)).toEqual(["/watch"]);
  });

  it("that pipelines too many requests gets answers to the first, and the connection is closed", async () => {
    const client = connect(port, "127.0.0.1").on("error", () => undefined);
    let text = "";
    client.on("data", (chunk: Buffer) => void (text += chunk.toString("latin1")));
    client.write(`${get}\r\n`.repeat(1000));
    await once(client, "close");
    // One is served, four wait.
    expect(text.split("HTTP/1.1 200").length - 1).toBe(5);
    expect(text.toLowerCase().split("connection: close").length - 1).toBe(1);
  });

  it("that sends a deeply nested document leaves its parsing to the handler", async () => {
    const body = "[".repeat(1000);
    expect(await exchange(port, `${post}Content-Length: 1000\r\n\r\n${body}`)).toContain("x-length: 1000");
  });

  it("that requests an upgrade gets an ordinary response", async () => {
    expect(statusOf(await exchange(port, `${get}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n`))).toBe(
      "200",
    );
    expect(statusOf(await exchange(port, `${post}Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n`))).toBe("200");
    expect(seen.map(({ headers }) => headers.upgrade)).toEqual(["websocket", "SPDY/3.1"]);
  });
});

describe("a slow HTTP client", () => {
  const limits = {
    headersTimeoutMs: 30,
    requestTimeoutMs: 60,
    timeoutCheckMs: 5,
    handshakeTimeoutMs: 30,
    idleTimeoutMs: 20,
    connectionsMax: 3,
    stallTimeoutMs: 1000,
  };
  const times: readonly (readonly [string, string, string])[] = [
    ["without a word", "", "408"],
    ["within its head", "GET /ok HTTP/1.1\r\nHo", "408"],
    ["within its body", `${post}Content-Length: 10\r\n\r\nabc`, "408"],
    ["within a chunk", `${post}Transfer-Encoding: chunked\r\n\r\n5\r\nab`, "408"],
  ];
  afterAll(async () => {
    for (const end of ends.splice(0)) await end();
  });

  it.each(times)("%s is disconnected", async (_, sent, expected) => {
    const { port } = await start({ limits });
    const logged = log.entries.length;
    expect(statusOf(await exchange(port, sent))).toBe(expected);
    expect(statusOf(await exchange(port, `${get}\r\n`))).toBe("200");
    expect(log.entries.length).toBe(logged);
  });

  it("is disconnected when it stalls in the TLS handshake or does not speak TLS", async () => {
    const { certificatePem, privateKeyPem } = certificateAuthority({ commonName: "ca", crypto: nodeCrypto, clock }).issue({
      commonName: "server",
      usage: "server",
    });
    const { port } = await start({ limits, tls: { certificatePem, privateKeyPem } });
    expect(await exchange(port, "")).toBe("closed");
    expect(await exchange(port, `${get}\r\n`)).toBe("closed");
    expect(await exchange(port, Buffer.from("16030100c8010000c40303", "hex"))).toBe("closed");
  });

  it("is disconnected when idle between requests", async () => {
    const { port } = await start({ limits });
    const socket = connect(port, "127.0.0.1");
    const closed = new Promise<void>((resolve) => void socket.on("close", () => resolve()));
    socket.on("data", () => undefined).write(`${get}\r\n`);
    await closed;
  });

  it("is refused when there are too many connections, until one is free", async () => {
    const { port } = await start({ limits: { ...limits, headersTimeoutMs: 60_000, requestTimeoutMs: 60_000 } });
    const sockets = await Promise.all(
      [1, 2, 3].map(
        () =>
          new Promise<Socket>((resolve) => {
            const socket = connect(port, "127.0.0.1", () => resolve(socket));
          }),
      ),
    );
    expect(await exchange(port, `${get}\r\n`)).toBe("closed");
    for (const socket of sockets) socket.destroy();
    let answer = "closed";
    for (let attempt = 0; attempt < 100 && answer === "closed"; attempt++) answer = await exchange(port, `${get}\r\n`);
    expect(statusOf(answer)).toBe("200");
  });

  it("is disconnected when it does not read its response", async () => {
    const { port } = await start({
      limits,
      connection: () => () => Promise.resolve({ status: 200, headers: {}, body: "x".repeat(64 * 1024 * 1024) }),
    });
    const socket = connect(port, "127.0.0.1");
    socket
      .on("error", () => undefined)
      .pause()
      .write(`${get}\r\n`);
    const closed = new Promise<void>((resolve) => void socket.on("close", () => resolve()));
    const stalled = async (): Promise<boolean> => {
      await new Promise<void>((resolve) => void setImmediate(resolve));
      // The heartbeat of the watchdog is due much sooner than the timeout.
      return clock.pending.some((ms) => ms > 100);
    };
    while (!(await stalled()));
    await clock.advance(1000);
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(64 * 1024 * 1024);
  });
});
