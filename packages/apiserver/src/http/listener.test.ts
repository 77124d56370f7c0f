import { once } from "node:events";
import { Agent, request as httpsRequest } from "node:https";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { connect as tlsConnect } from "node:tls";
import type { HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import type { RecordingLog } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import { certificateAuthority } from "@drover/machinery/x509";
import { listen } from "./listener.ts";
import type { ListenOptions } from "./listen-options.ts";
import type { Listener } from "./listener.ts";
import { nodeCrypto } from "@drover/machinery/node";
import type { Peer } from "../access/peer.ts";

const authority = certificateAuthority({ commonName: "ca", crypto: nodeCrypto, clock: { now: () => Date.now() } });
const identity = authority.issue({ commonName: "server", dnsNames: ["localhost"], ips: ["127.0.0.1"], usage: "server" });
const fine: HttpResponse = { status: 200, headers: {}, body: "fine" };

interface Running extends Listener {
  readonly end: () => Promise<void>;
  readonly log: RecordingLog;
  readonly clock: ManualClock;
}

const running = new Set<Running>();
afterEach(async () => {
  for (const { end } of running) await end();
  running.clear();
});

async function start(handle: Transport, options: Partial<ListenOptions> = {}): Promise<Running> {
  const clock = new ManualClock();
  const log = recordingLog(clock);
  const listener = await listen({ connection: () => handle, tls: "none", clock, log, ...options });
  const control = new AbortController();
  const ended = listener.run(control.signal);
  const end = (): Promise<void> => {
    control.abort();
    return ended;
  };
  const started = { ...listener, end, log, clock };
  running.add(started);
  return started;
}

/** A connection that records everything it receives. */
class RawClient {
  readonly socket: Socket;
  text = "";

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1")
      .on("error", () => undefined)
      .on("data", (chunk) => void (this.text += chunk.toString("latin1")));
  }

  send(text: string): void {
    this.socket.write(text);
  }

  /** Resolves when this text has arrived; rejects if the connection closes first. */
  async until(part: string): Promise<string> {
    while (!this.text.includes(part)) {
      if (this.socket.closed) throw new Error(`closed before ${JSON.stringify(part)} arrived: ${JSON.stringify(this.text)}`);
      await Promise.race([once(this.socket, "data"), once(this.socket, "close")]);
    }
    return this.text;
  }

  async closed(): Promise<string> {
    if (!this.socket.closed) await once(this.socket, "close");
    return this.text;
  }
}

const get = (path: string, ...headers: readonly string[]): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`;

describe("a request on a socket", () => {
  it("reaches the handler unchanged, and so does its response", async () => {
    const seen: HttpRequest[] = [];
    const { port } = await start((request) => {
      seen.push(request);
      return Promise.resolve({
        status: 201,
        headers: { "content-type": "text/plain", warning: ['299 - "ü"', '299 - "b"'] },
        body: "größer",
      });
    });
    const client = new RawClient(port);
    client.send(
      'POST /api/v1/x?y=%20z HTTP/1.1\r\nHost: localhost\r\nImpersonate-Group: a\r\nImpersonate-Group: b\r\nContent-Length: 7\r\n\r\n{"a":1}',
    );
    const answer = Buffer.from(await client.until("er"), "latin1").toString();
    expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(answer).toContain('content-length: 8\r\ncontent-type: text/plain\r\nwarning: 299 - "ü"\r\nwarning: 299 - "b"\r\n');
    const [request] = seen;
    expect([request?.method, request?.path, request?.headers]).toEqual([
      "POST",
      "/api/v1/x?y=%20z",
      { host: "localhost", "impersonate-group": ["a", "b"], "content-length": "7" },
    ]);
    expect(Buffer.from(request?.body as Uint8Array).toString()).toBe('{"a":1}');
    expect(request?.signal?.aborted).toBe(false);
    client.socket.destroy();
  });

  it("and its connection are remembered as the last sign of a client", async () => {
    const { port, clock, heardMs } = await start(() => Promise.resolve(fine));
    expect(heardMs()).toBe(-Infinity);
    const client = new RawClient(port);
    client.send(get("/1"));
    await client.until("fine");
    expect(heardMs()).toBe(clock.monotonic());
    await clock.advance(1000);
    client.send(get("/2"));
    await client.until("fineHTTP");
    expect(heardMs()).toBe(clock.monotonic());
  });

  it("has no body if it sends none", async () => {
    const bodies: unknown[] = [];
    const { port } = await start(({ body }) => {
      bodies.push(body);
      return Promise.resolve(fine);
    });
    const client = new RawClient(port);
    client.send(
      get("/") + get("/", "Content-Length: 0") + get("/", "Transfer-Encoding: chunked").concat("0\r\n\r\n") + get("/", "Connection: close"),
    );
    expect((await client.closed()).match(/200 OK/g)).toHaveLength(4);
    expect(bodies).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("with HEAD gets only the head of the response", async () => {
    const { port } = await start(({ path }) => Promise.resolve(path === "/big" ? { ...fine, body: "x".repeat(3_000_000) } : fine));
    const client = new RawClient(port);
    client.send(get("/").replace("GET", "HEAD") + get("/big").replace("GET", "HEAD") + get("/", "Connection: close"));
    const answer = await client.closed();
    expect(answer.match(/content-length: [0-9]+/g)).toEqual(["content-length: 4", "content-length: 3000000", "content-length: 4"]);
    expect(answer.match(/fine/g)).toHaveLength(1);
  });

  it("may use Expect: 100-continue", async () => {
    const { port } = await start(
      async ({ body }) => {
        if (body !== undefined && !(body instanceof Uint8Array)) for await (const _ of body as AsyncIterable<unknown>);
        return { ...fine, body: String((body as Uint8Array).length) };
      },
      { limits: { bodyBytesMax: 10 } },
    );
    const client = new RawClient(port);
    client.send("POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
    await client.until("100 Continue\r\n\r\n");
    client.send("abcde");
    expect(await client.until("200 OK")).toContain("100 Continue");
    const other = new RawClient(port);
    other.send("POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 50\r\n\r\n");
    const refused = await other.closed();
    expect(refused).not.toContain("100 Continue");
    expect(refused).toContain("413 Payload Too Large");
    expect(refused).toContain('"message":"Request entity too large: limit is 10"');
    client.socket.destroy();
  });

  it("with an oversized body is still answered by the handler", async () => {
    const { port } = await start(() => Promise.resolve({ ...fine, status: 401 }), { limits: { bodyBytesMax: 10 } });
    const client = new RawClient(port);
    client.send(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n${"x".repeat(50)}${get("/next", "Connection: close")}`);
    expect((await client.closed()).match(/401 Unauthorized/g)).toHaveLength(2);
  });

  it("waits for the response to the previous one on the connection", async () => {
    const order: string[] = [];
    let release: () => void = () => undefined;
    const { port } = await start(async ({ path }) => {
      order.push(`begin ${path}`);
      if (path === "/slow") await new Promise<void>((resolve) => void (release = resolve));
      order.push(`end ${path}`);
      return { ...fine, body: path };
    });
    const client = new RawClient(port);
    client.send(get("/slow") + get("/quick", "Connection: close"));
    while (order.length === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
    await new Promise<void>((resolve) => void setImmediate(resolve));
    release();
    expect(await client.closed()).toMatch(/\/slow[^]*\/quick$/);
    expect(order).toEqual(["begin /slow", "end /slow", "begin /quick", "end /quick"]);
  });

  it("gets a 500 when the handler fails, and the failure is logged", async () => {
    const { port, log } = await start(() => Promise.reject(new Error("kaput")));
    const client = new RawClient(port);
    client.send(get("/x"));
    const answer = await client.closed();
    expect(answer).toContain("500 Internal Server Error");
    expect(answer).not.toContain("kaput");
    expect(log.entries.map(({ level, message }) => [level, message])).toEqual([["error", "request failed without a response"]]);
  });

  it("aborts its signal when the client disconnects", async () => {
    let reason: unknown;
    let began: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => void (began = resolve));
    const { port, end } = await start(
      ({ signal }) =>
        new Promise((_, reject) => {
          began();
          signal?.addEventListener("abort", () => reject((reason = signal.reason)));
        }),
    );
    const client = new RawClient(port);
    client.send(get("/x"));
    await begun;
    client.socket.destroy();
    await end();
    expect(reason).toMatchObject({ name: "AbortError" });
  });
});

describe("a streaming response", () => {
  /** A handler whose responses the test feeds by hand. */
  function channel(): {
    readonly handle: Transport;
    readonly push: (line: string) => void;
    readonly requests: HttpRequest[];
    readonly finished: () => boolean;
  } {
    const queue: string[] = [];
    let wake: () => void = () => undefined;
    let finished = false;
    const requests: HttpRequest[] = [];
    async function* lines(signal: AbortSignal | undefined): AsyncGenerator<string> {
      signal?.addEventListener("abort", () => wake());
      try {
        for (;;) {
          yield* queue.splice(0);
          if (signal?.aborted === true) return;
          await new Promise<void>((resolve) => void (wake = resolve));
        }
      } finally {
        finished = true;
      }
    }
    return {
      requests,
      finished: () => finished,
      push: (line) => {
        queue.push(line);
        wake();
      },
      handle: (request) => {
        requests.push(request);
        return Promise.resolve({ status: 200, headers: { "content-type": "application/json" }, body: lines(request.signal) });
      },
    };
  }

  it("sends its head before the first line, then every line as it comes", async () => {
    const { handle, push } = channel();
    const { port } = await start(handle);
    const client = new RawClient(port);
    client.send(get("/watch"));
    expect(await client.until("\r\n\r\n")).toContain("Transfer-Encoding: chunked");
    push("one\n");
    await client.until("4\r\none\n\r\n");
    push("zwölf\n");
    expect(Buffer.from(await client.until("lf\n\r\n"), "latin1").toString()).toContain("7\r\nzwölf\n\r\n");
    client.socket.destroy();
  });

  it("skips empty pieces and keeps the connection reusable", async () => {
    const { port } = await start(({ path }) =>
      Promise.resolve(
        path === "/"
          ? fine
          : {
              ...fine,
              body: (async function* () {
                yield "a";
                yield "";
                yield Uint8Array.of();
                yield Uint8Array.of(98, 99);
              })(),
            },
      ),
    );
    const client = new RawClient(port);
    client.send(get("/watch"));
    expect((await client.until("0\r\n\r\n")).split("\r\n\r\n").slice(1).join("\r\n\r\n")).toBe("1\r\na\r\n2\r\nbc\r\n0\r\n\r\n");
    client.send(get("/", "Connection: close"));
    expect(await client.closed()).toMatch(/\r\n\r\nfine$/);
  });

  it("is not chunked for an HTTP/1.0 client", async () => {
    const { port } = await start(() =>
      Promise.resolve({
        ...fine,
        body: (async function* () {
          yield "one\n";
          yield "two\n";
        })(),
      }),
    );
    const client = new RawClient(port);
    client.send("GET /watch HTTP/1.0\r\nHost: localhost\r\n\r\n");
    expect(await client.closed()).toMatch(/\r\n\r\none\ntwo\n$/);
  });

  it("combines many available lines into few writes", async () => {
    const { port } = await start(() =>
      Promise.resolve({
        ...fine,
        body: (async function* () {
          for (let line = 0; line < 500; line++) yield `line ${line}\n`;
        })(),
      }),
    );
    const client = new RawClient(port);
    let pieces = 0;
    client.socket.on("data", () => pieces++);
    client.send(get("/watch", "Connection: close"));
    expect((await client.closed()).match(/line [0-9]+\n/g)).toHaveLength(500);
    expect(pieces).toBeLessThan(50);
  });

  it("aborts when the client disconnects", async () => {
    const { handle, requests, finished } = channel();
    const { port, end } = await start(handle);
    const client = new RawClient(port);
    client.send(get("/watch"));
    await client.until("\r\n\r\n");
    client.socket.destroy();
    await end();
    expect([requests[0]?.signal?.aborted, finished()]).toEqual([true, true]);
  });

  it("ends cleanly when the listener stops", async () => {
    const { handle, push } = channel();
    const { port, end } = await start(handle);
    const client = new RawClient(port);
    client.send(get("/watch"));
    push("one\n");
    await client.until("one");
    await end();
    expect((await client.closed()).endsWith("\r\n0\r\n\r\n")).toBe(true);
  });

  it("that fails closes the connection, so that it is not mistaken for complete", async () => {
    const { port, log } = await start(() =>
      Promise.resolve({
        ...fine,
        body: (async function* () {
          yield "one\n";
          throw new Error("kaput");
        })(),
      }),
    );
    const client = new RawClient(port);
    client.send(get("/watch"));
    const text = await client.closed();
    expect(text.endsWith("0\r\n\r\n")).toBe(false);
    expect(log.entries.map(({ message }) => message)).toEqual(["response failed while streaming"]);
  });

  it("applies backpressure for a slow client without buffering", async () => {
    let made = 0;
    const line = "x".repeat(64 * 1024);
    const { port, clock } = await start(() =>
      Promise.resolve({
        ...fine,
        body: (async function* () {
          for (; made < 2000; made++) yield line;
        })(),
      }),
    );
    const socket = connect(port, "127.0.0.1").pause();
    socket.write(get("/watch"));
    while (clock.pending.length === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
    expect(made).toBeLessThan(1000);
    let received = 0;
    socket
      .on("data", (chunk) => {
        received += chunk.length;
        if (received > 2000 * line.length) socket.destroy();
      })
      .resume();
    await once(socket, "close");
    expect(made).toBe(2000);
  });

  it("sends a large body in pieces with its content-length", async () => {
    const body = "0123456789".repeat(300_000);
    const { port } = await start(() => Promise.resolve({ ...fine, body }));
    const client = new RawClient(port);
    client.send(get("/", "Connection: close"));
    const text = await client.closed();
    expect(text).toContain("content-length: 3000000\r\n");
    expect(text.slice(text.indexOf("\r\n\r\n") + 4) === body).toBe(true);
  });
});

describe("shutdown of a listener", () => {
  it("lets requests finish, closes idle connections and accepts no new ones", async () => {
    let release: () => void = () => undefined;
    let began: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => void (began = resolve));
    const { port, end } = await start(async ({ path }) => {
      if (path === "/slow") {
        began();
        await new Promise<void>((resolve) => void (release = resolve));
      }
      return fine;
    });
    const [idle, busy] = [new RawClient(port), new RawClient(port)];
    idle.send(get("/"));
    await idle.until("fine");
    busy.send(get("/slow"));
    await begun;
    const ended = end();
    await idle.closed();
    await expect(once(connect(port, "127.0.0.1"), "connect")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    release();
    expect(await busy.closed()).toMatch(/Connection: close[^]*fine$/);
    await ended;
  });

  it("cuts off requests after the grace period", async () => {
    let began: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => void (began = resolve));
    const { port, end, clock } = await start(
      () => {
        began();
        return new Promise(() => undefined);
      },
      { limits: { graceMs: 500 } },
    );
    const client = new RawClient(port);
    client.send(get("/"));
    await begun;
    const ended = end();
    await clock.advance(499);
    expect(client.socket.closed).toBe(false);
    await clock.advance(1);
    expect(await client.closed()).toBe("");
    await ended;
  });

  it("may be requested before run is called", async () => {
    const clock = new ManualClock();
    const listener = await listen({ connection: () => () => Promise.resolve(fine), tls: "none", clock, log: recordingLog(clock) });
    await listener.run(AbortSignal.abort());
  });

  it("never starts when listen rejects because the port is taken", async () => {
    const { port } = await start(() => Promise.resolve(fine));
    await expect(start(() => Promise.resolve(fine), { port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});

describe("TLS of a listener", () => {
  const tls = { ...identity, clientAuthorityPem: authority.certificatePem };
  const peers: Peer[] = [];
  afterEach(() => void (peers.length = 0));
  const connection = (peer: Peer): Transport => {
    peers.push(peer);
    return () => Promise.resolve(fine);
  };

  async function fetchText(
    url: string,
    options: { readonly cert?: string; readonly key?: string; readonly agent?: Agent } = {},
  ): Promise<string> {
    const message = httpsRequest(url, { ca: authority.certificatePem, agent: new Agent(), ...options }).end();
    const [response] = (await once(message, "response")) as [AsyncIterable<Buffer>];
    let text = "";
    for await (const chunk of response) text += chunk.toString();
    return text;
  }

  it("is verified by clients that trust the CA, by name and by address", async () => {
    const { url, port } = await start(() => Promise.resolve(fine), { tls, connection });
    expect(url).toBe(`https://127.0.0.1:${port}`);
    expect(await fetchText(url)).toBe("fine");
    expect(await fetchText(`https://localhost:${port}`)).toBe("fine");
    expect(peers[0]).toEqual({ inProcess: false, encrypted: true, remoteAddress: "127.0.0.1" });
  });

  it("identifies the client by its certificate, once per connection", async () => {
    const { url } = await start(() => Promise.resolve(fine), { tls, connection });
    const user = authority.issue({ commonName: "jürgen", organizations: ["dev", "system:masters"], usage: "client" });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const credentials = { cert: user.certificatePem, key: user.privateKeyPem };
    await fetchText(url, { ...credentials, agent });
    await fetchText(url, { ...credentials, agent });
    agent.destroy();
    expect(peers).toHaveLength(1);
    expect(peers[0]?.certificate).toMatchObject({ commonName: "jürgen", organizations: ["dev", "system:masters"] });
    expect(peers[0]?.certificate?.sha256).toMatch(/^[0-9a-f]{64}$/);
    const single = authority.issue({ commonName: "a", organizations: ["b"], usage: "client" });
    await fetchText(url, { cert: single.certificatePem, key: single.privateKeyPem });
    expect(peers[1]?.certificate).toMatchObject({ commonName: "a", organizations: ["b"] });
  });

  it("reports certificates of another CA, for another purpose or expired as invalid", async () => {
    const { url } = await start(() => Promise.resolve(fine), { tls, connection });
    const other = certificateAuthority({ commonName: "ca", crypto: nodeCrypto, clock: { now: () => Date.now() } });
    const old = certificateAuthority({ commonName: "ca", crypto: nodeCrypto, clock: new ManualClock({ nowMs: 0 }) });
    const forged = [
      other.issue({ commonName: "admin", organizations: ["system:masters"], usage: "client" }),
      authority.issue({ commonName: "admin", usage: "server" }),
      old.issue({ commonName: "admin", usage: "client" }),
      authority.issue({ commonName: "admin", usage: "client", validityMs: -1000 }),
    ];
    for (const { certificatePem, privateKeyPem } of forged)
      expect(await fetchText(url, { cert: certificatePem, key: privateKeyPem })).toBe("fine");
    expect(peers.map(({ certificate }) => certificate)).toEqual([undefined, undefined, undefined, undefined]);
    expect(peers.every(({ certificateProblem = "" }) => certificateProblem.startsWith("x509: "))).toBe(true);
  });

  it("still identifies the client of a resumed session", async () => {
    const { port } = await start(() => Promise.resolve(fine), { tls, connection });
    const user = authority.issue({ commonName: "jane", usage: "client" });
    const options = {
      host: "127.0.0.1",
      port,
      ca: authority.certificatePem,
      cert: user.certificatePem,
      key: user.privateKeyPem,
      maxVersion: "TLSv1.2" as const,
    };
    const visit = async (session?: Buffer): Promise<{ readonly session: Buffer | undefined; readonly reused: boolean }> => {
      const socket = tlsConnect({ ...options, ...(session === undefined ? {} : { session }) });
      await once(socket, "secureConnect");
      socket.write(get("/", "Connection: close"));
      const result = { session: socket.getSession(), reused: socket.isSessionReused() };
      socket.resume();
      await once(socket, "close");
      return result;
    };
    const { session } = await visit();
    expect((await visit(session)).reused).toBe(true);
    expect(peers.map(({ certificate }) => certificate?.commonName)).toEqual(["jane", "jane"]);
  });

  it("takes a large request that arrives while the response to the previous one waits for its reader", async () => {
    const [asked, answered] = ["x".repeat(1_000_000), "y".repeat(16_000_000)];
    const { port } = await start(() => Promise.resolve(fine), {
      tls,
      connection: () => () => Promise.resolve({ ...fine, body: answered }),
    });
    const socket = tlsConnect({ host: "127.0.0.1", port, ca: authority.certificatePem });
    await once(socket, "secureConnect");
    socket.write(get("/"));
    await once(socket, "readable");
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${asked.length}\r\n\r\n${asked}`);
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => void setImmediate(resolve));
    let length = 0;
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > 2 * answered.length) break;
    }
    expect(length).toBeGreaterThan(2 * answered.length);
  });

  it.each([
    [true, ["h2", "http/1.1"], "h2"],
    [true, ["http/1.1"], "http/1.1"],
    [true, undefined, false],
    [false, ["h2", "http/1.1"], "http/1.1"],
  ])("with http2: %s and a client that offers %j chooses %s", async (http2, ALPNProtocols, chosen) => {
    const { port } = await start(() => Promise.resolve(fine), { tls, connection, http2 });
    const offer = ALPNProtocols === undefined ? {} : { ALPNProtocols };
    const socket = tlsConnect({ host: "127.0.0.1", port, ca: authority.certificatePem, ...offer });
    await once(socket, "secureConnect");
    socket.destroy();
    expect(socket.alpnProtocol).toBe(chosen);
  });

  it("is TLS 1.2 or newer", async () => {
    const { port } = await start(() => Promise.resolve(fine), { tls, connection });
    const old = tlsConnect({ host: "127.0.0.1", port, ca: authority.certificatePem, minVersion: "TLSv1", maxVersion: "TLSv1.1" });
    await expect(once(old, "secureConnect")).rejects.toThrow();
  });
});
