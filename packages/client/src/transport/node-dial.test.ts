import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { inspect } from "node:util";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { dialler } from "./node-dial.ts";
import type { DialOptions } from "./dial-options.ts";
import { parseServerAddress } from "./server-address.ts";
import { TransportError } from "./transport-error.ts";

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

interface Listening {
  readonly port: number;
  readonly sockets: Socket[];
}

async function listen(
  handler: (socket: Socket) => void,
  { host = "127.0.0.1", port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<Listening> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => undefined));
    handler(socket);
  });
  server.listen(port, host);
  await once(server, "listening");
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** A server that sends a greeting, which identifies it. */
const greeting = (text: string, at: { readonly host?: string; readonly port?: number } = {}): Promise<Listening> =>
  listen((socket) => void socket.write(text), at);

/** An address that accepts no further connections: its accept queue is full. */
async function blackHole(host: string, port: number): Promise<void> {
  const worker = new Worker(
    `
    const { parentPort, workerData } = require("node:worker_threads");
    const server = require("node:net").createServer().listen({ ...workerData, backlog: 1 }, () => {
      parentPort.postMessage("listening");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`,
    { eval: true, workerData: { host, port } },
  );
  cleanups.push(() => worker.terminate());
  await once(worker, "message");
  await Promise.all(
    [1, 2].map(async () => {
      const socket = connect(port, host).on("error", () => undefined);
      cleanups.push(() => void socket.destroy());
      await once(socket, "connect");
    }),
  );
}

const plain = { generation: 1, insecure: false };

async function dialled(server: string, options: DialOptions = {}, signal: AbortSignal = new AbortController().signal): Promise<Socket> {
  const socket = await dialler(parseServerAddress(server), options).dial(plain, signal);
  cleanups.push(() => void socket.destroy());
  return socket;
}

async function heard(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, "data")) as [Buffer];
  return chunk.toString();
}

async function failure(promise: Promise<unknown>): Promise<TransportError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TransportError);
  return error as TransportError;
}

describe("dialler and addresses", () => {
  it("C10: skips an address family that does not work", async () => {
    const { port } = await greeting("four");
    expect(await heard(await dialled(`http://api.internal:${port}`, { lookup: () => Promise.resolve(["::1", "127.0.0.1"]) }))).toBe("four");
  });

  // Only Linux has all addresses that start with 127.
  it.runIf(process.platform === "linux")("C10: skips an unresponsive address after addressTimeoutMs", async () => {
    const { port } = await greeting("second");
    await blackHole("127.0.0.2", port);
    const started = performance.now();
    expect(
      await heard(
        await dialled(`http://api.internal:${port}`, { addressTimeoutMs: 50, lookup: () => Promise.resolve(["127.0.0.2", "127.0.0.1"]) }),
      ),
    ).toBe("second");
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it.runIf(process.platform === "linux")(
    "C10, T7: resolves the name for every connection, so that a new address is used at once",
    async () => {
      const { port } = await greeting("old");
      await greeting("new", { host: "127.0.0.2", port });
      const answers = ["127.0.0.1", "127.0.0.2"];
      const way = dialler(parseServerAddress(`http://api.internal:${port}`), { lookup: () => Promise.resolve([answers.shift() ?? ""]) });
      const { signal } = new AbortController();
      for (const expected of ["old", "new"]) {
        const socket = await way.dial(plain, signal);
        cleanups.push(() => void socket.destroy());
        expect(await heard(socket)).toBe(expected);
      }
    },
  );

  it("reports a name without an address, or one that cannot be resolved", async () => {
    expect(await failure(dialled("http://api.internal:1", { lookup: () => Promise.resolve([]) }))).toMatchObject({
      reason: "dns",
      sent: "no",
      code: "ENODATA",
    });
    const down = Object.assign(new Error("down"), { code: "EAI_AGAIN" });
    expect(await failure(dialled("http://api.internal:1", { lookup: () => Promise.reject(down) }))).toMatchObject({
      reason: "dns",
      message: "connect to api.internal:1: it could not be resolved (the name server does not respond)",
    });
  });
});

describe("dialler and aborts", () => {
  it.each([
    ["a TLS handshake", "https://", {}],
    ["a proxy", "http://", { proxied: true }],
  ])("C18: leaves no socket open when aborted during %s", async (_, scheme, { proxied = false }: { readonly proxied?: boolean }) => {
    const { port, sockets } = await listen((socket) => void socket.resume());
    const controller = new AbortController();
    const outcome = dialled(
      proxied ? "http://api.internal:6443" : `${scheme}127.0.0.1:${port}`,
      proxied ? { proxyUrl: `http://127.0.0.1:${port}` } : {},
      controller.signal,
    );
    while (sockets.length === 0) await new Promise((resolve) => void setImmediate(resolve));
    const closed = once(sockets[0] as Socket, "close");
    controller.abort(new Error("enough"));
    await expect(outcome).rejects.toThrow("enough");
    await closed;
  });
});

describe("dialler and certificates", () => {
  it("names the invalid PEM fields, and leaves no socket open", async () => {
    const { port, sockets } = await listen((socket) => void socket.resume());
    const error = await failure(
      dialler(parseServerAddress(`https://127.0.0.1:${port}`), {}).dial(
        { ...plain, certificate: "no PEM at all" },
        new AbortController().signal,
      ),
    );
    expect(error).toMatchObject({ reason: "tls", sent: "no" });
    expect(error.message).toContain("certificate-authority, client-certificate or client-key cannot be used");
    while (sockets.some(({ destroyed }) => !destroyed) || sockets.length === 0) await new Promise((resolve) => void setImmediate(resolve));
  });
});

describe("dialler through a proxy", () => {
  it("SOCKS5: logs in, and lets the proxy resolve the name", async () => {
    const said: string[] = [];
    const proxy = await listen((socket) => {
      const answers = [
        [5, 2],
        [1, 0],
        [5, 0, 0, 1, 127, 0, 0, 1, 0, 80],
      ];
      socket.on("data", (chunk) => {
        said.push(chunk.toString("latin1"));
        socket.write(Buffer.from(answers.shift() ?? "through"));
      });
    });
    const socket = await dialled("http://api.internal:6443", { proxyUrl: `socks5://me:secret@127.0.0.1:${proxy.port}` });
    socket.write("hello");
    expect(await heard(socket)).toBe("through");
    expect(said).toEqual([
      "\x05\x02\x00\x02",
      "\x01\x02me\x06secret",
      `\x05\x01\x00\x03\x0capi.internal${String.fromCharCode(6443 >> 8, 6443 & 255)}`,
      "hello",
    ]);
  });

  it.each([
    ["refuses", "HTTP/1.1 403 Forbidden\r\n\r\n", "it answered 403"],
    ["rejects the credentials", "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "check those in proxy-url"],
    ["sends data too early", "HTTP/1.1 200 OK\r\n\r\nhello", "before the request"],
    ["is not a proxy", "220 mail.example ESMTP\r\n\r\n", "does not respond in HTTP"],
    ["closes the connection", undefined, "closed the connection"],
  ])("a proxy that %s: reason proxy, nothing sent, no password in the message, no socket left open", async (_, answer, words) => {
    const proxy = await listen(
      (socket) => void socket.once("data", () => void (answer === undefined ? socket.end() : socket.write(answer))),
    );
    const error = await failure(dialled("http://api.internal:6443", { proxyUrl: `http://me:hunter2@127.0.0.1:${proxy.port}` }));
    expect(error).toMatchObject({ reason: "proxy", sent: "no" });
    expect(error.message).toContain(words);
    expect(error.message).toContain(`127.0.0.1:${proxy.port}`);
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("hunter2");
    while (proxy.sockets[0]?.destroyed !== true) await new Promise((resolve) => void setImmediate(resolve));
  });

  it("reports a proxy that is down, and bypasses one for a server in noProxy", async () => {
    const { port } = await greeting("direct");
    const proxyUrl = "http://127.0.0.1:1";
    expect(await failure(dialled(`http://127.0.0.1:${port}`, { proxyUrl }))).toMatchObject({
      reason: "proxy",
      code: "ECONNREFUSED",
      sent: "no",
    });
    expect(await heard(await dialled(`http://127.0.0.1:${port}`, { proxyUrl, noProxy: "127.0.0.0/8" }))).toBe("direct");
  });
});
