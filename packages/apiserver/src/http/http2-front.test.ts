import { once } from "node:events";
import { constants } from "node:http2";
import type { ClientHttp2Session, SecureClientSessionOptions } from "node:http2";
import { connect as tlsConnect } from "node:tls";
import type { HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { afterEach, describe, expect, it } from "vitest";
import type { Peer } from "../access/peer.ts";
import { TestFeed } from "../feed/testing/test-feed.ts";
import type { ListenOptions } from "./listen-options.ts";
import { answerOn, ask, startHttp2 } from "./testing/http2-client.ts";
import type { Http2Server } from "./testing/http2-client.ts";

const fine: HttpResponse = { status: 200, headers: {}, body: "fine" };
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Running extends Http2Server {
  readonly session: ClientHttp2Session;
}

/** A server and a connected client. */
async function start(
  handle: Transport,
  options: Partial<ListenOptions> = {},
  clientOptions: SecureClientSessionOptions = {},
): Promise<Running> {
  const server = await startHttp2(handle, options);
  ends.push(server.end);
  const session = await server.open(clientOptions);
  ends.push(() => session.destroy());
  return { ...server, session };
}

/** Stays open until its signal aborts; the test sends lines. */
function watches(): { readonly handle: Transport; readonly requests: HttpRequest[]; readonly push: (line: string) => void } {
  const requests: HttpRequest[] = [];
  const wakes = new Set<() => void>();
  const lines: string[] = [];
  async function* body(signal: AbortSignal | undefined): AsyncGenerator<string> {
    let at = lines.length;
    for (;;) {
      for (; at < lines.length; at++) yield lines[at] ?? "";
      await new Promise<void>((resolve) => {
        wakes.add(resolve);
        signal?.addEventListener("abort", () => resolve());
      });
      if (signal?.aborted === true) return;
    }
  }
  return {
    requests,
    push: (line) => {
      lines.push(line);
      for (const wake of wakes) wake();
      wakes.clear();
    },
    handle: (request) => {
      requests.push(request);
      return Promise.resolve({ status: 200, headers: { "content-type": "application/json" }, body: body(request.signal) });
    },
  };
}

/** Answers when its client is gone. */
const never: Transport = ({ signal }) =>
  new Promise((resolve) => {
    signal?.addEventListener("abort", () => resolve(fine), { once: true });
  });

describe("a request over HTTP/2", () => {
  it("reaches the handler unchanged, and so does its response", async () => {
    const seen: HttpRequest[] = [];
    const { session, port } = await start((request) => {
      seen.push(request);
      return Promise.resolve({
        status: 201,
        headers: { "content-type": "text/plain", warning: ['299 - "ü"', '299 - "b"'], connection: "close", "Transfer-Encoding": "chunked" },
        body: "größer",
      });
    });
    const { status, headers, text, code } = await ask(
      session,
      { ":method": "POST", ":path": "/api/v1/x?y=%20z", "impersonate-group": ["a", "b"], "content-length": 7 },
      '{"a":1}',
    );
    expect([status, text, code]).toEqual([201, "größer", 0]);
    expect(headers).toMatchObject({ "content-type": "text/plain", "content-length": "8" });
    expect(Buffer.from(String(headers.warning), "latin1").toString()).toBe('299 - "ü", 299 - "b"');
    expect([headers.connection, headers["transfer-encoding"]]).toEqual([undefined, undefined]);
    const [request] = seen;
    expect([request?.method, request?.path, request?.headers]).toEqual([
      "POST",
      "/api/v1/x?y=%20z",
      { host: `127.0.0.1:${port}`, "impersonate-group": ["a", "b"], "content-length": "7" },
    ]);
    expect(Buffer.from(request?.body as Uint8Array).toString()).toBe('{"a":1}');
  });

  it("shares its connection, and the identity of it, with a hundred others", async () => {
    const peers: Peer[] = [];
    const { session } = await start(never, {
      connection: (peer) => {
        peers.push(peer);
        return ({ path }) => Promise.resolve({ ...fine, body: path });
      },
    });
    const paths = Array.from({ length: 100 }, (_, index) => `/${index}`);
    const answers = await Promise.all(paths.map((path) => ask(session, { ":path": path })));
    expect(answers.map(({ text }) => text)).toEqual(paths);
    expect(peers).toEqual([{ inProcess: false, encrypted: true, remoteAddress: "127.0.0.1" }]);
  });

  it("may have a body of any size up to the limit, with and without a declared length", async () => {
    const { session } = await start(({ body }) => Promise.resolve({ ...fine, body: String((body as Uint8Array | undefined)?.length) }));
    const lengths = [0, 1, 65_535, 262_145, 3 * 1024 * 1024];
    for (const length of lengths) {
      const bytes = Buffer.alloc(length, "x");
      const expected = length === 0 ? "undefined" : String(length);
      expect((await ask(session, { ":method": "PUT" }, bytes)).text).toBe(expected);
      expect((await ask(session, { ":method": "PUT", "content-length": length }, bytes)).text).toBe(expected);
    }
  });

  it("uploads more large bodies at once than are read at once", async () => {
    const handle: Transport = ({ body }) => Promise.resolve({ ...fine, body: String((body as Uint8Array).length) });
    // The client keeps what it cannot send yet.
    const { session } = await start(handle, {}, { maxSessionMemory: 100 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => ask(session, { ":method": "POST" }, Buffer.alloc(400_000 + index))),
    );
    expect(answers.map(({ text }) => text)).toEqual(answers.map((_, index) => String(400_000 + index)));
  });

  it("gets a large body complete and with its length", async () => {
    const body = "0123456789".repeat(300_000);
    const { session } = await start(() => Promise.resolve({ ...fine, body }));
    const { headers, text } = await ask(session, {});
    expect([headers["content-length"], text === body]).toEqual(["3000000", true]);
  });

  it("with HEAD gets only the head of the response", async () => {
    const { session } = await start(() => Promise.resolve(fine));
    const { status, headers, text } = await ask(session, { ":method": "HEAD" });
    expect([status, headers["content-length"], text]).toEqual([200, "4", ""]);
  });

  it("gets no body with a 204", async () => {
    const { session } = await start(() => Promise.resolve({ ...fine, status: 204, body: "" }));
    const { status, headers, text } = await ask(session, { ":method": "DELETE" });
    expect([status, headers["content-length"], text]).toEqual([204, undefined, ""]);
  });

  it("may use Expect: 100-continue, unless its body is too large", async () => {
    const { session } = await start(
      async ({ body }) => {
        if (body !== undefined && !(body instanceof Uint8Array)) for await (const _ of body as AsyncIterable<unknown>);
        return { ...fine, body: String((body as Uint8Array).length) };
      },
      { limits: { bodyBytesMax: 10 } },
    );
    const small = session.request({ ":method": "POST", expect: "100-continue", "content-length": 5 });
    await once(small, "continue");
    small.end("abcde");
    expect((await answerOn(small)).text).toBe("5");
    const large = session.request({ ":method": "POST", expect: "100-continue", "content-length": 50 });
    const { status, text } = await answerOn(large);
    expect(status).toBe(413);
    expect(text).toContain("Request entity too large: limit is 10");
    expect(await ask(session, { ":method": "POST", expect: "miracles" }, "x")).toMatchObject({ status: 417 });
  });

  it("gets a 500 when the handler fails or its headers are invalid, and the failure is logged", async () => {
    const { session, log } = await start(({ path }) =>
      path === "/x" ? Promise.reject(new Error("kaput")) : Promise.resolve({ ...fine, headers: { location: "/x\r\nset-cookie: a=b" } }),
    );
    const answers = [await ask(session, { ":path": "/x" }), await ask(session, { ":path": "/y" })];
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(answers.map(({ text }) => text).join()).not.toContain("kaput");
    expect(log.entries.map(({ message }) => message)).toEqual(["request failed without a response", "request failed without a response"]);
  });

  it("does not abort its signal when it is answered", async () => {
    const seen: HttpRequest[] = [];
    const { session } = await start((request) => {
      seen.push(request);
      return Promise.resolve(request.path === "/empty" ? { ...fine, status: 204, body: "" } : fine);
    });
    for (const method of ["GET", "HEAD", "POST"])
      for (const path of ["/", "/empty"]) await ask(session, { ":method": method, ":path": path }, method === "POST" ? "x" : undefined);
    await turn();
    expect(seen.map(({ signal }) => signal?.aborted)).toEqual(seen.map(() => false));
  });

  it.each([
    ["CANCEL", constants.NGHTTP2_CANCEL],
    ["NO_ERROR", constants.NGHTTP2_NO_ERROR],
  ])("aborts its signal when the client resets it with %s, and its connection goes on", async (_, code) => {
    const seen: HttpRequest[] = [];
    const { session } = await start((request) => {
      seen.push(request);
      return request.path === "/slow" ? never(request) : Promise.resolve(fine);
    });
    const stream = session.request({ ":path": "/slow" });
    stream.on("error", () => undefined);
    await until(() => seen.length === 1);
    stream.close(code);
    await until(() => seen[0]?.signal?.aborted === true);
    expect((await ask(session, { ":path": "/quick" })).text).toBe("fine");
  });
});

describe("a connection with HTTP/2", () => {
  it("is closed, and the failure logged, when its transport cannot be made", async () => {
    let calls = 0;
    const { port, authorityPem, log, session } = await start(never, {
      connection: () => {
        if (calls++ > 0) throw new Error("kaput");
        return () => Promise.resolve(fine);
      },
    });
    const socket = tlsConnect({ host: "127.0.0.1", port, ca: authorityPem, ALPNProtocols: ["h2"] }).on("error", () => undefined);
    await once(socket.resume(), "close");
    expect(log.entries.map(({ message }) => message)).toEqual(["connection failed before its first request"]);
    expect(await ask(session, {})).toMatchObject({ status: 200 });
  });
});

describe("a watch over HTTP/2", () => {
  it("is one of many on one connection, and each gets every line as it comes", async () => {
    const { handle, requests, push } = watches();
    const { session } = await start(handle);
    const texts = Array.from({ length: 90 }, () => "");
    const streams = texts.map((_, index) =>
      session.request({ ":path": `/watch/${index}` }).on("data", (chunk: Buffer) => void (texts[index] += chunk.toString())),
    );
    await Promise.all(streams.map((stream) => once(stream, "response")));
    expect(requests).toHaveLength(90);
    push("one\n");
    await until(() => texts.every((text) => text === "one\n"));
    push("zwölf\n");
    await until(() => texts.every((text) => text === "one\nzwölf\n"));
  });

  it("ends with an error when its body fails, so that it is not mistaken for complete", async () => {
    const { session, log } = await start(() =>
      Promise.resolve({
        ...fine,
        body: (async function* () {
          yield "one\n";
          throw new Error("kaput");
        })(),
      }),
    );
    expect(await ask(session, {})).toMatchObject({ text: "one\n", code: constants.NGHTTP2_INTERNAL_ERROR });
    expect(log.entries.map(({ message }) => message)).toEqual(["response failed while streaming"]);
  });

  it("applies backpressure for a slow client without buffering", async () => {
    let made = 0;
    const line = "x".repeat(64 * 1024);
    const { session } = await start(() =>
      Promise.resolve({
        ...fine,
        body: (async function* () {
          for (; made < 500; made++) yield line;
        })(),
      }),
    );
    const stream = session.request({}).pause();
    await once(stream, "response");
    for (let waited = 0; waited < 1000; waited++) await turn();
    expect(made).toBeLessThan(20);
    expect((await answerOn(stream.resume())).text).toHaveLength(500 * line.length);
  });
});

describe("a refusal over HTTP/2", () => {
  it.each([
    ["another host", { ":authority": "evil.com" }, 403, 'host "evil.com" is not allowed'],
    ["two different hosts", { ":authority": "localhost", host: "evil.com" }, 400, "must match :authority"],
    ["a page of another origin", { origin: "https://evil.com" }, 403, 'origin "https://evil.com" is not allowed'],
    ["a tunnel", { ":method": "CONNECT", ":authority": "localhost:443" }, 405, "CONNECT is not supported"],
    ["a target that is no path", { ":path": "*", ":method": "OPTIONS" }, 400, "must be a path"],
    ["too many headers", Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`x-${index}`, "y"])), 431, "at most 15 headers"],
  ])("answers %s", async (_, headers, status, text) => {
    const { session } = await start(() => Promise.resolve(fine), { limits: { headersMax: 15 } });
    const answer = await ask(session, headers);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(text);
  });

  it("answers trailers with a 400", async () => {
    const { session } = await start(() => Promise.resolve(fine));
    const stream = session.request({ ":method": "POST" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "impersonate-user": "root" }));
    stream.end("{}");
    expect(await answerOn(stream)).toMatchObject({ status: 400, text: "request trailers are not supported\n" });
  });

  it("answers an oversized body before it has arrived, and the connection goes on", async () => {
    const { session } = await start(() => Promise.resolve({ ...fine, status: 401 }), { limits: { bodyBytesMax: 10 } });
    const stream = session.request({ ":method": "POST", "content-length": 1_000_000 });
    stream.write("x");
    expect(await answerOn(stream)).toMatchObject({ status: 401, code: 0 });
    expect(await ask(session, {})).toMatchObject({ status: 401 });
  });
});

describe("a bound of HTTP/2", () => {
  it("limits concurrent streams to streamsMax", async () => {
    const { handle, requests } = watches();
    const { session } = await start(handle, { limits: { streamsMax: 5 } });
    expect(session.remoteSettings.maxConcurrentStreams).toBe(5);
    const streams = Array.from({ length: 8 }, () => session.request({}).on("error", () => undefined));
    await Promise.all(streams.slice(0, 5).map((stream) => once(stream, "response")));
    expect(requests).toHaveLength(5);
    streams[0]?.close(constants.NGHTTP2_CANCEL);
    await until(() => requests.length === 6);
  });

  it("resets a request whose head exceeds headerBytesMax", async () => {
    const { session } = await start(() => Promise.resolve(fine), { limits: { headerBytesMax: 10_000 } });
    expect(await ask(session, { "x-large": "x".repeat(20_000) })).toMatchObject({ status: 0, code: constants.NGHTTP2_ENHANCE_YOUR_CALM });
    expect(await ask(session, {})).toMatchObject({ status: 200 });
  });

  it("answers a body that takes longer than requestTimeoutMs with a 408 (X5)", async () => {
    const { session, clock } = await start(() => Promise.resolve(fine), { limits: { headersTimeoutMs: 5000, requestTimeoutMs: 5000 } });
    const stream = session.request({ ":method": "POST" });
    stream.write("slow");
    await ask(session, {});
    await clock.advance(4000);
    expect(stream.closed).toBe(false);
    await clock.advance(1000);
    expect(await answerOn(stream)).toMatchObject({ status: 408, text: "the body did not arrive within 5000 ms\n" });
    expect(await ask(session, {})).toMatchObject({ status: 200 });
  });

  it.each([
    ["short", "x".repeat(5000)],
    ["long", "x".repeat(5_000_000)],
  ])("cancels a %s response of which a client reads nothing for stallTimeoutMs", async (_, body) => {
    const { session, clock } = await start(
      () => Promise.resolve({ ...fine, body }),
      { limits: { stallTimeoutMs: 10_000 } },
      { settings: { initialWindowSize: 0 } },
    );
    const stream = session.request({});
    await once(stream, "response");
    await clock.advance(10_000);
    expect(stream.closed).toBe(false);
    await clock.advance(2000);
    expect(await answerOn(stream)).toMatchObject({ text: "", code: constants.NGHTTP2_CANCEL });
  });

  it("counts stallTimeoutMs from the first piece that waits, not from the silence before", async () => {
    const feed = new TestFeed<string>();
    const { session, clock } = await start(
      () => Promise.resolve({ ...fine, body: feed }),
      { limits: { stallTimeoutMs: 10_000 } },
      { settings: { initialWindowSize: 5 } },
    );
    const stream = session.request({});
    feed.tell("first");
    await once(stream, "response");
    await clock.advance(20_000);
    feed.tell("second");
    await new Promise((resolve) => void session.ping(resolve));
    await clock.advance(9000);
    expect(stream.closed).toBe(false);
    await clock.advance(3000);
    expect(await answerOn(stream)).toMatchObject({ code: constants.NGHTTP2_CANCEL });
  });

  it("keeps a silent watch of a client that answers pings", async () => {
    const { handle, requests } = watches();
    const { session, clock } = await start(handle);
    await once(session.request({}), "response");
    for (let minute = 0; minute < 10; minute++) {
      const ping = once(session, "ping");
      await clock.advance(31_000);
      await ping;
      // The answer arrives before the one to this.
      await new Promise((resolve) => void session.ping(resolve));
    }
    expect([requests[0]?.signal?.aborted, session.closed]).toEqual([false, false]);
  });

  it("closes a session that is idle for idleTimeoutMs", async () => {
    const { session, clock } = await start(() => Promise.resolve(fine), { limits: { idleTimeoutMs: 10_000 } });
    await ask(session, {});
    await clock.advance(9000);
    await ask(session, {});
    await clock.advance(9000);
    expect(session.closed).toBe(false);
    const goaway = once(session, "goaway");
    await clock.advance(2000);
    expect((await goaway)[0]).toBe(constants.NGHTTP2_NO_ERROR);
    await once(session, "close");
  });

  it("closes a connection that sends no request within headersTimeoutMs, and does not wait for it to read", async () => {
    let connections = 0;
    const connection = (): Transport => {
      connections++;
      return never;
    };
    const { port, clock, authorityPem } = await start(never, { connection, limits: { headersTimeoutMs: 5000 } });
    const socket = tlsConnect({ host: "127.0.0.1", port, ca: authorityPem, ALPNProtocols: ["h2"] }).on("error", () => undefined);
    await once(socket, "secureConnect");
    socket.pause();
    // Half a preface, so that the session never begins.
    socket.write("PRI * HT");
    await until(() => connections === 2);
    await clock.advance(12_000);
    socket.resume();
    await once(socket, "close");
  });

  it("counts requests that were reset until their handlers end", async () => {
    let running = 0;
    const releases: (() => void)[] = [];
    const { session } = await start(
      async () => {
        running++;
        await new Promise<void>((resolve) => void releases.push(resolve));
        return fine;
      },
      { limits: { streamsMax: 5 } },
    );
    const closed = once(session, "close");
    for (let round = 0; round < 25 && !session.closed; round++) {
      const stream = session.request({});
      stream.on("error", () => undefined);
      await Promise.race([until(() => running > round), closed]);
      stream.close(constants.NGHTTP2_CANCEL);
      await turn();
    }
    await closed;
    expect(running).toBe(20);
    for (const release of releases) release();
  });
});

describe("shutdown with HTTP/2", () => {
  it("sends GOAWAY, ends watches, lets requests finish and closes idle sessions", async () => {
    const { handle } = watches();
    let release: () => void = () => undefined;
    const server = await start(async (request) => {
      if (request.path === "/watch") return await handle(request);
      await new Promise<void>((resolve) => void (release = resolve));
      return fine;
    });
    const idle = await server.open();
    const watch = server.session.request({ ":path": "/watch" });
    await once(watch, "response");
    const slow = ask(server.session, { ":path": "/slow" });
    await until(() => release.name !== "release");
    const goaway = once(server.session, "goaway");
    const ended = server.end();
    await Promise.all([goaway, once(idle, "close")]);
    expect(await answerOn(watch)).toMatchObject({ code: 0 });
    release();
    expect(await slow).toMatchObject({ text: "fine", code: 0 });
    await ended;
  });

  it("cuts off requests after the grace period", async () => {
    let began = false;
    const server = await start(
      () => {
        began = true;
        return new Promise(() => undefined);
      },
      { limits: { graceMs: 500 } },
    );
    const answer = ask(server.session, {});
    await until(() => began);
    const ended = server.end();
    await server.clock.advance(500);
    await ended;
    expect(await answer).toMatchObject({ status: 0 });
  });
});

describe("an HTTP/2 client that takes nothing of its watches", () => {
  it("loses the slowest of them when too many bytes wait for all watchers, and keeps its other requests (S19)", async () => {
    const feeds: TestFeed<string>[] = [];
    const handle: Transport = ({ path }) => {
      if (path !== "/watch") return Promise.resolve(fine);
      const feed = new TestFeed<string>();
      feeds.push(feed);
      return Promise.resolve({ status: 200, headers: {}, body: feed });
    };
    // The window of a stream is smaller than a line, so lines wait in the streams and not in the connection.
    const { session, clock, log } = await start(handle, { limits: { watchBytesMax: 300_000 } }, { settings: { initialWindowSize: 1000 } });
    const closed: number[] = [];
    for (let index = 0; index < 5; index++) {
      const stream = session.request({ ":path": "/watch" });
      stream.on("error", () => undefined);
      stream.on("close", () => closed.push(index));
      await until(() => feeds.length > index);
    }
    for (const feed of feeds) {
      feed.tell("x".repeat(100_000));
      await clock.advance(10);
    }
    await until(() => closed.length >= 2);
    // The fourth line exceeds the limit; without the two that wait longest an eighth of it is free.
    expect(new Set(closed)).toEqual(new Set([0, 1]));
    expect(feeds.map(({ isDismissed }) => isDismissed)).toEqual([true, true, false, false, false]);
    expect(log.entries.filter(({ message }) => message.startsWith("ended the slowest watches"))).toHaveLength(1);
    expect(await ask(session, { ":path": "/other" })).toMatchObject({ status: 200, text: "fine" });
  });
});
