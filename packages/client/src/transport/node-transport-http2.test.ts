/**
 * The transport over HTTP/2 on loopback: what shares a connection, what ends with it, and what falls back to HTTP/1.1.
 */
import { once } from "node:events";
import { createSecureServer } from "node:http2";
import { createServer } from "node:https";
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse, SecureServerOptions, ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { isTransportError, nodeTransport } from "../index.ts";
import type { NodeTransport, NodeTransportOptions } from "../index.ts";
import type { HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { ManualClock } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import { authority } from "./testing/certificates.ts";

const ours = authority("drover test authority");
const good = ours.issue({ commonName: "server", addresses: ["127.0.0.1"] });

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

type Answer = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

interface Rig {
  readonly server: Http2SecureServer;
  readonly url: string;
  /** Connections that were opened, and the sessions on them. */
  readonly sockets: TLSSocket[];
  readonly sessions: ServerHttp2Session[];
}

async function serve(answer: Answer, options: SecureServerOptions = {}): Promise<Rig> {
  const server = createSecureServer({ cert: good.certificate, key: good.key, ...options }, answer);
  const sockets: TLSSocket[] = [];
  const sessions: ServerHttp2Session[] = [];
  server.on("secureConnection", (socket: TLSSocket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
  });
  server.on("session", (session) => void sessions.push(session));
  server.on("sessionError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { server, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, sessions };
}

function transportTo(server: string, options: Partial<NodeTransportOptions> = {}): { transport: NodeTransport; clock: ManualClock } {
  const { clock, log } = testRuntime();
  const tls = (): Promise<{ generation: number; insecure: boolean; ca: string }> =>
    Promise.resolve({ generation: 1, insecure: false, ca: ours.certificate });
  const transport = nodeTransport({ server, clock, log, tls, http2: true, ...options });
  cleanups.push(transport.close);
  return { transport, clock };
}

const get = (path: string, more: Partial<HttpRequest> = {}): HttpRequest => ({ method: "GET", path, headers: {}, ...more });
const ask = async (transport: Transport, path = "/version"): Promise<string> => text(await transport(get(path)));

async function text({ body }: HttpResponse): Promise<string> {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString("utf8");
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** Reads the next part of a streamed body. */
async function next({ body }: HttpResponse): Promise<string> {
  const step = await (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]().next();
  return step.done === true ? "" : Buffer.from(step.value).toString("utf8");
}

const failure = async (work: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await work.then(
    () => "it did not fail",
    (reason: unknown) => reason,
  );
  return isTransportError(error) ? { reason: error.reason, sent: error.sent, message: error.message } : error;
};

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => void setImmediate(resolve));
};

/** Answers watches with a first line and leaves them open. */
const watching: Answer = (request, response) => {
  if (request.url.includes("watch=true")) response.write(`${request.url}\n`);
  else response.end(`${request.method} ${request.url}`);
};

describe("nodeTransport with HTTP/2", () => {
  it("sends method, path, headers and body, and returns status, headers and body", async () => {
    const { url } = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        response.setHeader(
          "warning",
          ['299 - "ä"', '299 - "b"'].map((value) => Buffer.from(value, "utf8").toString("latin1")),
        );
        response.writeHead(201, { "content-type": "application/json" });
        const { ":authority": host, "x-name": name, "content-length": length } = request.headers;
        response.end(
          JSON.stringify({ method: request.method, url: request.url, host, name, length, body: Buffer.concat(chunks).toString() }),
        );
      });
    });
    const { transport } = transportTo(`${url}/base`);
    const headers = { "X-Name": "ü", "content-type": "text/plain", connection: "keep-alive" };
    const answer = await transport({ method: "POST", path: "/a?b=c", headers, body: "hellö" });
    expect([answer.status, answer.headers["content-type"], answer.headers["warning"]]).toEqual([
      201,
      "application/json",
      ['299 - "ä"', '299 - "b"'],
    ]);
    expect(JSON.parse(await text(answer))).toEqual({
      method: "POST",
      url: "/base/a?b=c",
      host: url.slice("https://".length),
      name: Buffer.from("ü", "utf8").toString("latin1"),
      length: "6",
      body: "hellö",
    });
  });

  it("streams a request body, and fails with its error", async () => {
    const { url } = await serve((request, response) => void request.pipe(response));
    const { transport } = transportTo(url);
    // oxlint-disable-next-line typescript/require-await
    const body = async function* (fails: boolean): AsyncGenerator<string> {
      for (let index = 0; index < 100; index++) yield "x".repeat(10_000);
      if (fails) throw new Error("no more");
    };
    const post = (fails: boolean): Promise<HttpResponse> => transport({ method: "POST", path: "/", headers: {}, body: body(fails) });
    expect((await text(await post(false))).length).toBe(1_000_000);
    await expect(post(true).then(text)).rejects.toThrow();
    expect((await text(await post(false))).length).toBe(1_000_000);
  });

  it("shares one connection among calls and watches", async () => {
    const { url, sockets } = await serve(watching);
    const { transport } = transportTo(url);
    const watches = await Promise.all(Array.from({ length: 60 }, (_, index) => transport(get(`/${index}?watch=true`))));
    const first = await Promise.all(watches.map(next));
    const calls = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(transport, `/call-${index}`)));
    expect([sockets.length, first.length, new Set(first).size, calls[99]]).toEqual([1, 60, 60, "GET /call-99"]);
  });

  it("falls back to HTTP/1.1 if the server does not speak HTTP/2, and asks again later", async () => {
    let connections = 0;
    const server = createServer({ cert: good.certificate, key: good.key, keepAliveTimeout: 3_600_000 }, (_, response) =>
      response.end("old"),
    );
    server.on("connection", () => connections++);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    cleanups.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const { transport, clock } = transportTo(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      connectionAgeMaxMs: 600_000,
    });
    expect([await ask(transport), await ask(transport), connections]).toEqual(["old", "old", 2]);
    await clock.advance(600_001);
    expect([await ask(transport), connections]).toEqual(["old", 4]);
  });

  it("opens another connection when the server allows no more streams on the first", async () => {
    const { url, sockets } = await serve(watching, { settings: { maxConcurrentStreams: 10 } });
    const { transport } = transportTo(url);
    const watches = await Promise.all(Array.from({ length: 25 }, (_, index) => transport(get(`/${index}?watch=true`))));
    expect([sockets.length, (await Promise.all(watches.map(next))).length]).toEqual([3, 25]);
  });

  it("gives up on a server that allows no streams at all", async () => {
    const { url, sockets } = await serve(watching, { settings: { maxConcurrentStreams: 0 } });
    const { transport } = transportTo(url);
    expect(await failure(ask(transport))).toMatchObject({ reason: "refused", sent: "no" });
    expect(sockets.length).toBeLessThanOrEqual(10);
  });

  it("limits concurrent calls, and never counts streams", async () => {
    let open = 0;
    let most = 0;
    const { url } = await serve((request, response) => {
      if (request.url.includes("watch=true")) {
        response.write("\n");
        return;
      }
      most = Math.max(most, ++open);
      setImmediate(() => {
        open--;
        response.end("ok");
      });
    });
    const { transport } = transportTo(url, { callsMax: 3 });
    const watches = await Promise.all(Array.from({ length: 10 }, (_, index) => transport(get(`/${index}?watch=true`))));
    await Promise.all(Array.from({ length: 30 }, () => ask(transport)));
    expect([watches.length, most]).toEqual([10, 3]);
  });

  it("decompresses gzip, and stops a body at its limit", async () => {
    const { url } = await serve((request, response) => {
      response.setHeader("content-encoding", "gzip");
      response.end(gzipSync(request.url === "/bomb" ? Buffer.alloc(10_000_000) : "plain text"));
    });
    const { transport } = transportTo(url, { bodyBytesMax: 1_000_000 });
    expect(await ask(transport)).toBe("plain text");
    expect(await failure(ask(transport, "/bomb"))).toMatchObject({ reason: "too-large", sent: "maybe" });
    expect(await ask(transport)).toBe("plain text");
  });

  it("returns an empty body for responses without one", async () => {
    const { url } = await serve((_, response) => void response.writeHead(204).end());
    expect((await transportTo(url).transport(get("/"))).body).toBe("");
  });
});

describe("nodeTransport with HTTP/2, when something ends", () => {
  it("ends one stream at an abort, before and within the response, and leaves the others", async () => {
    const ended: string[] = [];
    const { url, sockets } = await serve((request, response) => {
      request.stream.on("close", () => void ended.push(`${request.url} ${request.stream.rstCode}`));
      if (request.url !== "/silent") watching(request, response);
    });
    const { transport } = transportTo(url);
    const other = await transport(get("/other?watch=true"));
    const silent = new AbortController();
    const waiting = failure(transport(get("/silent", { signal: silent.signal })));
    await until(() => sockets.length === 1);
    const reading = new AbortController();
    const watch = await transport(get("/watch?watch=true", { signal: reading.signal }));
    await next(watch);
    const more = failure(next(watch));
    silent.abort("no longer");
    reading.abort("enough");
    expect([await waiting, await more]).toEqual(["no longer", "enough"]);
    await until(() => ended.length === 2);
    expect([ended.toSorted(), await next(other), await ask(transport), sockets.length]).toEqual([
      ["/silent 8", "/watch?watch=true 8"],
      "/other?watch=true\n",
      "GET /version",
      1,
    ]);
  });

  it("ends the stream of a body that is dropped", async () => {
    const ended: number[] = [];
    const { url, sockets } = await serve((request, response) => {
      request.stream.on("close", () => void ended.push(request.stream.rstCode));
      watching(request, response);
    });
    const { transport } = transportTo(url);
    for await (const _ of (await transport(get("/?watch=true"))).body as AsyncIterable<Uint8Array>) break;
    await until(() => ended.length === 1);
    expect(ended).toEqual([8]);
    expect([await ask(transport), sockets.length]).toEqual(["GET /version", 1]);
  });

  it("reports a refused stream as not sent, and a reset one as perhaps sent", async () => {
    const { url } = await serve((request) => request.stream.close(request.url === "/refused" ? 7 : 2));
    const { transport } = transportTo(url);
    expect(await failure(ask(transport, "/refused"))).toMatchObject({ sent: "no" });
    expect(await failure(ask(transport, "/broken"))).toMatchObject({ sent: "maybe" });
  });

  it("finishes its streams after GOAWAY, and sends new requests on a new connection", async () => {
    const open: Http2ServerResponse[] = [];
    const { url, sockets, sessions } = await serve((request, response) => {
      watching(request, response);
      if (request.url.includes("watch=true")) open.push(response);
    });
    const { transport } = transportTo(url);
    const watch = await transport(get("/?watch=true"));
    await next(watch);
    sessions[0]?.goaway(0);
    // A request that meets the GOAWAY on its way is refused, and was not sent.
    let answer: unknown;
    do answer = await ask(transport).catch((error: unknown) => failure(Promise.reject(error as Error)));
    while ((answer as { sent?: string }).sent === "no");
    expect(answer).toBe("GET /version");
    open[0]?.end("last\n");
    expect([await text(watch), sockets.length]).toEqual(["last\n", 2]);
  });

  it("fails every stream of a connection that is lost, and connects again", async () => {
    const { url, sockets } = await serve(watching);
    const { transport } = transportTo(url);
    const watches = await Promise.all([transport(get("/1?watch=true")), transport(get("/2?watch=true"))]);
    await Promise.all(watches.map(next));
    const failures = watches.map((watch) => failure(next(watch)));
    sockets[0]?.destroy();
    expect(await Promise.all(failures)).toEqual([
      expect.objectContaining({ reason: expect.stringMatching(/reset|aborted-by-peer/) as string, sent: "maybe" }),
      expect.objectContaining({ reason: expect.stringMatching(/reset|aborted-by-peer/) as string, sent: "maybe" }),
    ]);
    expect([await ask(transport), sockets.length]).toEqual(["GET /version", 2]);
  });

  it("ends a response that does not begin within the headers timeout", async () => {
    const { url } = await serve(() => undefined);
    const { transport, clock } = transportTo(url, { headersTimeoutMs: 20_000 });
    const waiting = failure(transport(get("/")));
    await until(() => clock.pending.includes(20_000));
    await clock.advance(20_000);
    expect(await waiting).toMatchObject({ reason: "timeout", sent: "maybe" });
  });

  it("notices a server that answers no pings, and connects again", async () => {
    const { url, sockets } = await serve(watching);
    const { transport, clock } = transportTo(url);
    const watch = await transport(get("/?watch=true"));
    await next(watch);
    const waiting = failure(next(watch));
    sockets[0]?.pause();
    await clock.advance(30_000);
    await clock.advance(15_000);
    expect(await waiting).toMatchObject({ reason: "unreachable" });
  });

  it("closes a connection that has been idle, and one that is too old after its last stream", async () => {
    const { url, sockets } = await serve(watching);
    const { transport, clock } = transportTo(url, { keepAliveMs: 10_000, connectionAgeMaxMs: 20_000 });
    await ask(transport);
    await until(() => clock.pending.includes(10_000));
    await clock.advance(10_001);
    await until(() => sockets[0]?.destroyed === true);
    await ask(transport);
    const watch = await transport(get("/?watch=true"));
    await next(watch);
    await clock.advance(20_001);
    await ask(transport);
    expect([sockets.length, sockets[1]?.destroyed]).toEqual([3, false]);
  });

  it("rejects new requests after close, and ends running ones", async () => {
    const { url } = await serve(watching);
    const { transport } = transportTo(url);
    const watch = await transport(get("/?watch=true"));
    await next(watch);
    const waiting = failure(next(watch));
    transport.close();
    expect(await waiting).toMatchObject({ sent: "maybe" });
    expect(await failure(ask(transport))).toMatchObject({ reason: "closed", sent: "no" });
  });

  it("sends nothing that cannot be written", async () => {
    const { url } = await serve(watching);
    const { transport } = transportTo(url);
    expect(await failure(transport(get("/a b")))).toMatchObject({ reason: "invalid-request", sent: "no" });
    expect(await failure(transport(get("/", { headers: { a: "b\nc" } })))).toMatchObject({ reason: "invalid-request", sent: "no" });
    expect(await ask(transport)).toBe("GET /version");
  });
});
