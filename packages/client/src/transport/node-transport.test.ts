import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { IncomingMessage, RequestListener, Server as HttpServer, ServerResponse } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import { nodeTransport } from "./node-transport.ts";
import type { NodeTransport } from "./node-transport.ts";
import type { NodeTransportOptions } from "./node-transport-options.ts";
import { retry } from "./retry.ts";
import { TransportError } from "./transport-error.ts";

// Real sockets on loopback and a manual clock: nothing here waits for real time.

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

interface Listening {
  readonly url: string;
  readonly port: number;
  readonly sockets: Socket[];
}

async function listen(server: Server | HttpServer): Promise<Listening> {
  const sockets: Socket[] = [];
  server.on("connection", (socket: Socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => void server.close(resolve));
  });
  return { url: `http://127.0.0.1:${port}`, port, sockets };
}

const serveHttp = (handler: RequestListener): Promise<Listening> => listen(createHttpServer({ keepAliveTimeout: 60_000 }, handler));
const serveTcp = (handler: (socket: Socket) => void): Promise<Listening> => listen(createTcpServer(handler));

function transportTo(server: string, options: Partial<NodeTransportOptions> = {}): NodeTransport & { readonly clock: ManualClock } {
  const { clock, log } = testRuntime({
    clock: new ManualClock({ quietTurns: 3, turn: () => new Promise((resolve) => void setImmediate(resolve)) }),
  });
  const transport = nodeTransport({ server, tls: () => Promise.resolve({ generation: 1, insecure: false }), clock, log, ...options });
  cleanups.push(() => transport.close());
  return Object.assign((request: HttpRequest) => transport(request), { close: transport.close, clock });
}

const get = (path = "/api", more: Partial<HttpRequest> = {}): HttpRequest => ({ method: "GET", path, headers: {}, ...more });
const post = (body = "{}"): HttpRequest => ({
  method: "POST",
  path: "/api/v1/namespaces/shop/pods",
  headers: { "content-type": "application/json" },
  body,
});

async function text({ body }: HttpResponse): Promise<string> {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString("utf8");
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

async function failure(promise: Promise<unknown>): Promise<TransportError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TransportError);
  return error as TransportError;
}

/** Answers the first request of each connection with raw bytes. */
const answering = (...parts: readonly (string | Buffer)[]): Promise<Listening> =>
  serveTcp(
    (socket) =>
      void socket.once("data", () => {
        for (const part of parts) socket.write(part);
      }),
  );

const soon = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
async function eventually(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 20_000; turn++) {
    if (holds()) return;
    await soon();
  }
  throw new Error("it never came to hold");
}

describe("nodeTransport", () => {
  it("sends method, path under the server's base path, headers and body, and returns the response", async () => {
    const seen: { line?: string; headers?: IncomingMessage["headersDistinct"]; body?: string } = {};
    const server = await serveHttp((request, response) => {
      seen.line = `${request.method} ${request.url}`;
      seen.headers = request.headersDistinct;
      request
        .setEncoding("utf8")
        .on("data", (chunk: string) => (seen.body = chunk))
        .on("end", () =>
          response
            .writeHead(
              201,
              [
                ["Warning", '299 - "alt"'],
                ["X-One", "1"],
                ["Warning", '299 - "ä"'],
              ]
                .flat()
                .map((value) => Buffer.from(value).toString("latin1")),
            )
            .end("made"),
        );
    });
    const transport = transportTo(`${server.url}/k8s/clusters/c-1/`);
    const response = await transport({ ...post('{"a":1}'), headers: { "impersonate-group": ["a", "bü"] } });
    expect(response.status).toBe(201);
    expect(response.headers["warning"]).toEqual(['299 - "alt"', '299 - "ä"']);
    expect(response.headers["x-one"]).toBe("1");
    expect(await text(response)).toBe("made");
    expect(seen).toMatchObject({ line: "POST /k8s/clusters/c-1/api/v1/namespaces/shop/pods", body: '{"a":1}' });
    expect(seen.headers?.["content-length"]).toEqual(["7"]);
    expect(seen.headers?.["host"]).toEqual([`127.0.0.1:${server.port}`]);
    expect(seen.headers?.["impersonate-group"]).toEqual(["a", Buffer.from("bü").toString("latin1")]);
  });

  it("sends the body of a DELETE with a length, so that the connection survives it", async () => {
    const bodies: string[] = [];
    const server = await serveHttp(
      (request, response) =>
        void request
          .setEncoding("utf8")
          .on("data", (chunk: string) => bodies.push(chunk))
          .on("end", () => response.end("ok")),
    );
    const transport = transportTo(server.url);
    for (const body of ['{"kind":"DeleteOptions"}', new TextEncoder().encode("ü")])
      expect(await text(await transport({ method: "DELETE", path: "/x", headers: {}, body }))).toBe("ok");
    expect(bodies).toEqual(['{"kind":"DeleteOptions"}', "ü"]);
    expect(server.sockets).toHaveLength(1);
  });

  it("streams a body, and fails when its source fails", async () => {
    const server = await serveHttp((request, response) => void request.pipe(response));
    const transport = transportTo(server.url);
    const pieces = async function* (fails: boolean): AsyncGenerator<string> {
      yield "one,";
      await soon();
      if (fails) throw new RangeError("the disk is gone");
      yield "two";
    };
    expect(await text(await transport({ ...post(), body: pieces(false) }))).toBe("one,two");
    const response = await transport({ ...post(), body: pieces(true) }).catch((error: unknown) => error);
    if (response instanceof Error) expect(response.message).toBe("the disk is gone");
    else await expect(text(response as HttpResponse)).rejects.toBeInstanceOf(TransportError);
  });

  it("never follows a redirect", async () => {
    const server = await serveHttp((_, response) => response.writeHead(302, { location: "/elsewhere" }).end());
    const response = await transportTo(server.url)(get());
    expect(response).toMatchObject({ status: 302, headers: { location: "/elsewhere" } });
    expect(await text(response)).toBe("");
  });

  it("requests gzip and decompresses it, unless disabled; streams and callers that ask themselves get the raw body", async () => {
    const asked: (string | undefined)[] = [];
    const server = await serveHttp((request, response) => {
      asked.push(request.headers["accept-encoding"]);
      response
        .writeHead(200, request.headers["accept-encoding"] === undefined ? {} : { "content-encoding": "gzip" })
        .end(request.headers["accept-encoding"] === undefined ? "plain" : gzipSync("zipped"));
    });
    const transport = transportTo(server.url);
    const response = await transport(get());
    expect(response.headers).not.toHaveProperty("content-encoding");
    expect(await text(response)).toBe("zipped");
    expect(await text(await transport(get("/api/v1/pods?watch=true")))).toBe("plain");
    const own = await transport(get("/api", { headers: { "accept-encoding": "gzip" } }));
    expect(own.headers["content-encoding"]).toBe("gzip");
    await text(own);
    expect(await text(await transportTo(server.url, { disableCompression: true })(get()))).toBe("plain");
    expect(asked).toEqual(["gzip", undefined, "gzip", undefined]);
  });

  it("C17: decodes a gzip response with any chunk boundaries", async () => {
    const zipped = gzipSync("The same, however it is cut.");
    let cut = 0;
    const server = await serveHttp((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).write(zipped.subarray(0, cut));
      setImmediate(() => response.end(zipped.subarray(cut)));
    });
    const transport = transportTo(server.url);
    for (cut = 1; cut < zipped.length; cut++) expect(await text(await transport(get()))).toBe("The same, however it is cut.");
  });

  it("reads no further ahead than its reader, and slows the server down", async () => {
    let written = 0;
    let full = false;
    const server = await serveHttp((_, response) => {
      const chunk = Buffer.alloc(64 * 1024, "x");
      const more = (): void => {
        while (written < 2 ** 28) {
          written += chunk.length;
          if (!response.write(chunk)) {
            full = true;
            return void response.once("drain", more);
          }
        }
        response.end();
      };
      more();
    });
    const response = await transportTo(server.url)(get());
    await eventually(() => full);
    for (let turn = 0; turn < 200; turn++) await soon();
    expect(written).toBeLessThan(2 ** 26);
    const iterator = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    expect((await iterator.next()).done).toBe(false);
    await iterator.return?.();
    await eventually(() => server.sockets[0]?.destroyed === true);
  });
});

describe("nodeTransport when the connection fails", () => {
  it("refused: names host and port, and reports that nothing was sent", async () => {
    const server = createTcpServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => void server.close(resolve));
    const error = await failure(transportTo(`http://127.0.0.1:${port}`)(post()));
    expect(error).toMatchObject({ reason: "refused", sent: "no", code: "ECONNREFUSED" });
    expect(error.message).toContain(`connect to 127.0.0.1:${port}`);
  });

  it("dns: an unknown name", async () => {
    const error = await failure(transportTo("http://no-such-host.invalid:6443")(get()));
    expect(error).toMatchObject({ reason: "dns", sent: "no" });
    expect(error.message).toContain("no-such-host.invalid:6443");
  });

  it("T10: reset before the response: it may have arrived", async () => {
    const server = await serveTcp((socket) => void socket.once("data", () => socket.resetAndDestroy()));
    const error = await failure(transportTo(server.url)(post()));
    expect(error).toMatchObject({ reason: "reset", sent: "maybe", reused: false });
    expect(error.message).toBe(`POST /api/v1/namespaces/shop/pods: 127.0.0.1:${server.port} reset the connection`);
  });

  it("T10: closed before the response: it may have arrived", async () => {
    const server = await serveTcp((socket) => void socket.once("data", () => socket.end()));
    expect(await failure(transportTo(server.url)(post()))).toMatchObject({ reason: "aborted-by-peer", sent: "maybe" });
  });

  it.each([
    ["T11, C8: the body ends before its length", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf", "aborted-by-peer", true],
    ["T11, C8: reset within the body", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf", "reset", "reset"],
    ["T11, C8: the last chunk is missing", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n", "aborted-by-peer", true],
    ["T11, C8: an invalid chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n", "garbage", false],
  ])("%s", async (_, answer, reason, close) => {
    const server = await answering(answer);
    const response = await transportTo(server.url)(get());
    const iterator = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    if (close !== false) expect(Buffer.from((await iterator.next()).value ?? []).toString()).toBe("half");
    if (close === true) server.sockets[0]?.end();
    if (close === "reset") server.sockets[0]?.resetAndDestroy();
    const rest = async (): Promise<void> => {
      while ((await iterator.next()).done !== true);
    };
    const error = await failure(rest());
    expect(error.reason).toBe(reason);
    await expect(iterator.next()).rejects.toBe(error);
  });

  it("T11: a truncated gzip body is an error, not a short response", async () => {
    const zipped = gzipSync("x".repeat(1000));
    const server = await serveHttp((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(zipped.subarray(0, zipped.length - 9)),
    );
    expect(await failure(transportTo(server.url)(get()).then(text))).toMatchObject({ reason: "garbage", code: "Z_BUF_ERROR" });
  });

  it("T11: a compression bomb stops at the limit, and a body within it does not", async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20));
    const server = await serveHttp((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
    const error = await failure(transportTo(server.url, { bodyBytesMax: 2 ** 20 })(get()).then(text));
    expect(error).toMatchObject({ reason: "too-large" });
    expect(error.message).toContain("larger than 1048576 bytes");
    expect((await text(await transportTo(server.url)(get()))).length).toBe(50 * 2 ** 20);
  });

  it.each([
    ["a response that is not HTTP", "SSH-2.0-OpenSSH_9.6\r\n", {}, "something that is not HTTP"],
    [
      "headers beyond the limit",
      `HTTP/1.1 200 OK\r\nx: ${"y".repeat(5000)}\r\n\r\n`,
      { headerBytesMax: 4096 },
      "headers that are larger than allowed",
    ],
  ])("C13: rejects %s", async (_, answer, options, words) => {
    const server = await answering(answer);
    const error = await failure(transportTo(server.url, options)(get()));
    expect(error).toMatchObject({ reason: "garbage", sent: "maybe" });
    expect(error.message).toContain(words);
    expect(inspect(error)).not.toContain("rawPacket");
  });

  it("accepts headers of 60 KiB, which Node alone would reject", async () => {
    const server = await answering(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(60_000)}\r\ncontent-length: 0\r\n\r\n`);
    expect((await transportTo(server.url)(get())).headers["x"]).toHaveLength(60_000);
  });

  it("T8: silence after the request ends with the headers timeout, not before, and destroys the socket", async () => {
    const server = await serveTcp((socket) => void socket.resume());
    const transport = transportTo(server.url, { headersTimeoutMs: 5000 });
    const outcome = failure(transport(get()));
    await eventually(() => transport.clock.pending.includes(5000));
    await transport.clock.advance(4999);
    expect(server.sockets[0]?.destroyed).toBe(false);
    await transport.clock.advance(1);
    expect(await outcome).toMatchObject({ reason: "timeout", timeout: "headers", sent: "maybe" });
    await eventually(() => server.sockets[0]?.destroyed === true);
  });

  it("T11, C9: a silent body ends with the idle timeout; a stream does not (§9.38)", async () => {
    const server = await answering("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n");
    const transport = transportTo(server.url, { idleTimeoutMs: 1000 });
    const outcome = failure(transport(get()).then(text));
    await eventually(() => transport.clock.pending.includes(1000));
    await eventually(() => transport.clock.pending.every((ms) => ms === 1000));
    await transport.clock.advance(1000);
    await transport.clock.advance(1000);
    expect(await outcome).toMatchObject({ reason: "timeout", timeout: "idle" });

    const controller = new AbortController();
    const watch = transport(get("/api/v1/pods?watch=1", { signal: controller.signal })).then(text);
    watch.catch(() => undefined);
    await eventually(() => server.sockets.length === 2);
    for (let turn = 0; turn < 50; turn++) await soon();
    await transport.clock.advance(3_600_000);
    expect(server.sockets[1]?.destroyed).toBe(false);
    controller.abort(new Error("enough"));
    await expect(watch).rejects.toThrow("enough");
  });

  it("an unread body releases its connection after the timeout", async () => {
    const server = await answering("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf");
    const transport = transportTo(server.url, { idleTimeoutMs: 1000 });
    const response = await transport(get());
    await transport.clock.advance(1000);
    await eventually(() => server.sockets[0]?.destroyed === true);
    expect(await failure(text(response))).toMatchObject({ reason: "timeout", timeout: "unread" });
  });

  it("C19: a handshake that stalls ends with the connect timeout, and nothing was sent", async () => {
    const server = await serveTcp((socket) => void socket.resume());
    const transport = transportTo(server.url.replace("http:", "https:"), { connectTimeoutMs: 2000 });
    const outcome = failure(transport(post()));
    await eventually(() => server.sockets.length === 1);
    await transport.clock.advance(2000);
    expect(await outcome).toMatchObject({ reason: "timeout", timeout: "connect", sent: "no" });
  });

  it("tls: a server without TLS", async () => {
    const server = await answering("HTTP/1.1 400 Bad Request\r\n\r\n");
    const error = await failure(transportTo(server.url.replace("http:", "https:"))(get()));
    expect(error).toMatchObject({ reason: "tls", sent: "no" });
    expect(error.message).toContain("does not speak TLS on this port");
  });

  it("invalid-request: a request that cannot be written is not sent", async () => {
    const server = await serveHttp((_, response) => response.end());
    const error = await failure(transportTo(server.url)(get("/api", { headers: { "x-bad": "a\r\nb" } })));
    expect(error).toMatchObject({ reason: "invalid-request", sent: "no" });
  });

  it("calls onSent last before the first byte; if it throws, nothing is sent", async () => {
    // A process that is suspended for longer than its lease between the check and the first byte writes without the lease.
    const arrived: string[] = [];
    const { url } = await serveHttp((request, response) => {
      arrived.push(request.method ?? "");
      response.end("{}");
    });
    const transport = transportTo(url);
    const refused = (): Promise<unknown> => {
      let isClosed = false;
      const late: HttpRequest = {
        ...post(),
        // Read while the message is being created.
        get body() {
          isClosed = true;
          return "{}";
        },
        onSent: (sent) => {
          if (sent === "maybe" && isClosed) throw new Error("too late");
        },
      };
      return transport(late);
    };
    await expect(refused()).rejects.toMatchObject({ sent: "no" });
    await text(await transport(get()));
    await expect(refused()).rejects.toMatchObject({ sent: "no" });
    await text(await transport(get()));
    expect(arrived).toEqual(["GET", "GET"]);
  });

  it("after close rejects new requests and ends running ones", async () => {
    const server = await serveTcp((socket) => void socket.resume());
    const transport = transportTo(server.url);
    const outcome = failure(transport(get()));
    await eventually(() => server.sockets.length === 1);
    await soon();
    transport.close();
    expect((await outcome).reason).toMatch(/aborted-by-peer|closed/);
    expect(await failure(transport(get()))).toMatchObject({ reason: "closed", sent: "no" });
  });
});

describe("nodeTransport connections", () => {
  it("reuses one connection for sequential requests", async () => {
    const server = await serveHttp((_, response) => response.end("ok"));
    const transport = transportTo(server.url);
    for (let count = 0; count < 50; count++) await text(await transport(get()));
    await transport(get("/x", { method: "HEAD" }));
    expect(server.sockets).toHaveLength(1);
  });

  it("T7: replaces an old connection", async () => {
    const server = await serveHttp((_, response) => response.end("ok"));
    const transport = transportTo(server.url, { connectionAgeMaxMs: 1000 });
    await text(await transport(get()));
    await transport.clock.advance(999);
    await text(await transport(get()));
    expect(server.sockets).toHaveLength(1);
    await transport.clock.advance(1);
    await text(await transport(get()));
    expect(server.sockets).toHaveLength(2);
  });

  it("T7: adds jitter to the maximum age of connections", async () => {
    const server = await serveHttp((_, response) => response.end("ok"));
    const { random } = testRuntime();
    const transport = transportTo(server.url, { connectionAgeMaxMs: 1000, random: { ...random, next: () => 0.5 } });
    await text(await transport(get()));
    await transport.clock.advance(1049);
    await text(await transport(get()));
    expect(server.sockets).toHaveLength(1);
    await transport.clock.advance(1);
    await text(await transport(get()));
    expect(server.sockets).toHaveLength(2);
  });

  it("T8: does not reuse an idle connection that is as old as three that were closed", async () => {
    const server = await serveHttp((_, response) => response.end("ok"));
    const transport = transportTo(server.url);
    for (let round = 0; round < 3; round++) {
      await text(await transport(get()));
      await transport.clock.advance(30_000);
      const last = server.sockets.at(-1) as Socket;
      if (round === 1) last.resetAndDestroy();
      else last.end();
      await once(last, "close");
      for (let turn = 0; turn < 20; turn++) await soon();
    }
    await text(await transport(get()));
    await transport.clock.advance(23_999);
    await text(await transport(get()));
    expect(server.sockets).toHaveLength(4);
    await transport.clock.advance(24_000);
    await text(await transport(get()));
    expect(server.sockets).toHaveLength(5);
  });

  it("T14, C12: limits concurrent calls, queues further ones in order, and never counts streams", async () => {
    let open = 0;
    let most = 0;
    const order: string[] = [];
    const server = await serveHttp((request, response) => {
      if (request.url?.includes("watch") === true) {
        response.write("{}\n");
        return;
      }
      most = Math.max(most, ++open);
      order.push(request.url ?? "");
      setImmediate(() => {
        open--;
        response.end("ok");
      });
    });
    const transport = transportTo(server.url, { callsMax: 3 });
    const controller = new AbortController();
    const watches = await Promise.all(
      Array.from({ length: 10 }, () => transport(get("/api/v1/pods?watch=true", { signal: controller.signal }))),
    );
    await Promise.all(Array.from({ length: 300 }, async (_, index) => text(await transport(get(`/${index}`)))));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
    expect(server.sockets.length).toBeLessThanOrEqual(13);
    expect(order.map((path) => Number(path.slice(1))).every((index, place) => Math.abs(index - place) < 4)).toBe(true);
    controller.abort();
    await Promise.allSettled(watches.map(text));
  });

  it("T3: a new generation opens new connections; an idle old one is closed, one in use finishes (§9.37)", async () => {
    let finish: ServerResponse | undefined;
    const server = await serveHttp((request, response) => {
      if (request.url === "/slow") finish = response;
      else response.end("ok");
    });
    let generation = 1;
    const transport = transportTo(server.url, { tls: () => Promise.resolve({ generation, insecure: false }) });
    const slow = transport(get("/slow")).then(text);
    await text(await transport(get()));
    expect(server.sockets).toHaveLength(2);
    await eventually(() => finish !== undefined);
    generation = 2;
    await text(await transport(get()));
    expect(server.sockets).toHaveLength(3);
    await eventually(() => server.sockets.filter(({ destroyed }) => destroyed).length === 1);
    finish?.end("late");
    expect(await slow).toBe("late");
    await eventually(() => server.sockets.filter(({ destroyed }) => destroyed).length === 2);
  });

  it("does not reuse a connection that the server closed while idle, not even for a write", async () => {
    const server = await serveHttp((_, response) => response.end("ok"));
    const transport = transportTo(server.url);
    await text(await transport(get()));
    server.sockets[0]?.end();
    await once(server.sockets[0] as Socket, "close");
    expect(await text(await transport(post()))).toBe("ok");
    expect(server.sockets).toHaveLength(2);
  });

  it("with a connection that the server closes during the send: a read is retried at once, a write is not", async () => {
    const server = await serveTcp((socket) => {
      let requests = 0;
      socket.on("data", () => {
        if (++requests > 1) socket.resetAndDestroy();
        else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      });
    });
    const { clock, random, log } = testRuntime();
    const base = transportTo(server.url);
    const transport = retry({ clock, random, log })(base);
    expect(await text(await transport(get()))).toBe("ok");
    expect(await text(await transport(get()))).toBe("ok");
    expect(server.sockets).toHaveLength(2);
    expect(await failure(transport(post()))).toMatchObject({ reason: "reset", sent: "maybe", reused: true });
    expect(server.sockets).toHaveLength(2);
  });
});

describe("nodeTransport aborted (C18)", () => {
  const reason = new Error("not interested any more");

  it("before anything: opens no connection", async () => {
    const server = await serveHttp((_, response) => response.end());
    await expect(transportTo(server.url)(get("/", { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(server.sockets).toHaveLength(0);
  });

  it("while reading the TLS settings", async () => {
    const controller = new AbortController();
    const outcome = transportTo("http://127.0.0.1:1", { tls: () => new Promise(() => undefined) })(get("/", { signal: controller.signal }));
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
  });

  it("while connecting", async () => {
    const server = await serveTcp((socket) => void socket.resume());
    const controller = new AbortController();
    const outcome = transportTo(server.url.replace("http:", "https:"))(get("/", { signal: controller.signal }));
    await eventually(() => server.sockets.length === 1);
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    await eventually(() => server.sockets[0]?.destroyed === true);
  });

  it("while waiting for a free call slot", async () => {
    const server = await serveTcp((socket) => void socket.resume());
    const transport = transportTo(server.url, { callsMax: 1 });
    const first = transport(get());
    first.catch(() => undefined);
    const controller = new AbortController();
    const second = transport(get("/", { signal: controller.signal }));
    await eventually(() => server.sockets.length === 1);
    controller.abort(reason);
    await expect(second).rejects.toBe(reason);
    expect(server.sockets).toHaveLength(1);
  });

  it("while sending and while waiting for the response", async () => {
    const server = await serveTcp((socket) => void socket.pause());
    for (const request of [get(), post("x".repeat(2 ** 24))]) {
      const controller = new AbortController();
      const count = server.sockets.length;
      const outcome = transportTo(server.url)({ ...request, signal: controller.signal });
      await eventually(() => server.sockets.length > count);
      await soon();
      controller.abort(reason);
      await expect(outcome).rejects.toBe(reason);
      server.sockets.at(-1)?.resume();
      await eventually(() => server.sockets.at(-1)?.destroyed === true);
    }
  });

  it("while the body is read, and while it is not", async () => {
    const server = await answering("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf");
    for (const reads of [true, false]) {
      const controller = new AbortController();
      const response = await transportTo(server.url)(get("/", { signal: controller.signal }));
      const iterator = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
      if (reads) await iterator.next();
      const next = reads ? iterator.next() : undefined;
      controller.abort(reason);
      await expect(next ?? iterator.next()).rejects.toBe(reason);
      await eventually(() => server.sockets.at(-1)?.destroyed === true);
    }
  });

  it("after the response: keeps the connection", async () => {
    const server = await serveHttp((_, response) => response.end("ok"));
    const transport = transportTo(server.url);
    const controller = new AbortController();
    await text(await transport(get("/", { signal: controller.signal })));
    controller.abort(reason);
    await text(await transport(get()));
    expect(server.sockets).toHaveLength(1);
  });
});

describe("nodeTransport through a proxy", () => {
  /** Connects two sockets. */
  const splice = (socket: Socket, port: number): void => {
    const onward = connect(port, "127.0.0.1");
    onward.on("error", () => socket.destroy());
    socket.on("close", () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  };

  it("HTTP: sends CONNECT with the credentials of the URL, and keeps the tunnel", async () => {
    const server = await serveHttp((_, response) => response.end("through"));
    const heads: string[] = [];
    const proxy = await serveTcp(
      (socket) =>
        void socket.once("data", (head) => {
          heads.push(head.toString());
          socket.write("HTTP/1.1 200 Connection established\r\nx: y\r\n\r\n");
          splice(socket, server.port);
        }),
    );
    const transport = transportTo("http://api.internal:6443", { proxyUrl: `http://me:s%40cret@127.0.0.1:${proxy.port}` });
    expect(await text(await transport(get()))).toBe("through");
    expect(await text(await transport(get()))).toBe("through");
    expect(heads).toEqual([
      `CONNECT api.internal:6443 HTTP/1.1\r\nhost: api.internal:6443\r\nproxy-authorization: Basic ${Buffer.from("me:s@cret").toString("base64")}\r\n\r\n`,
    ]);
  });
});
