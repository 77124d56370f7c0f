/**
 * Faults that need real TLS, over the whole client on loopback: certificates that are replaced, on either side, during
 * calls.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { clusterTransport, nodeTransport, nodeWebSocket } from "../index.ts";
import type { ClusterAccess, ClusterTransport } from "../index.ts";
import { memoryHost } from "../testing.ts";
import type { MemoryHost } from "../testing.ts";
import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import { authority } from "../transport/testing/certificates.ts";
import type { Authority } from "../transport/testing/certificates.ts";

const before = authority("the authority before");
const after = authority("the authority after");
const serverOf = ({ issue }: Authority): { readonly cert: string; readonly key: string } => {
  const { certificate, key } = issue({ commonName: "server", addresses: ["127.0.0.1"] });
  return { cert: certificate, key };
};

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).toReversed()) cleanup();
});

interface Rig {
  readonly server: Server;
  readonly host: MemoryHost;
  readonly runtime: TestRuntime;
  readonly transport: ClusterTransport;
  /** The client closes its connections, so the next call needs a new handshake. */
  readonly drop: () => Promise<void>;
}

async function rig({
  access = {},
  files = {},
  admits = () => true,
}: {
  readonly access?: Partial<ClusterAccess>;
  readonly files?: Record<string, string>;
  readonly admits?: (request: IncomingMessage) => boolean;
} = {}): Promise<Rig> {
  const runtime = testRuntime();
  const server = createServer(
    { ...serverOf(before), requestCert: true, rejectUnauthorized: false, ca: [before.certificate, after.certificate] },
    (request, response) => response.writeHead(admits(request) ? 200 : 401).end("ok"),
  );
  const sockets = new Set<Socket>();
  server.on("tlsClientError", () => undefined).on("connection", (socket: Socket) => sockets.add(socket.on("error", () => undefined)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = memoryHost({ "/ca.crt": before.certificate, ...files });
  const transport = clusterTransport(
    {
      server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      trust: { ca: { kind: "file", path: "/ca.crt" } },
      credentials: {},
      namespace: "default",
      ...access,
    },
    { ...runtime, host, isPair: () => true, connect: nodeTransport, userAgent: "test" },
  );
  cleanups.push(() => {
    transport.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const drop = async (): Promise<void> => {
    await Promise.all(
      [...sockets]
        .filter(({ destroyed }) => !destroyed)
        .map((socket) => {
          const closed = once(socket, "close");
          socket.destroy();
          return closed;
        }),
    );
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => void setImmediate(resolve));
  };
  return { server, host, runtime, transport, drop };
}

const request = (method: string): HttpRequest => ({ method, path: "/version", headers: {} });
async function ask(transport: ClusterTransport, method = "GET"): Promise<number> {
  const { status, body } = (await transport(request(method))) satisfies HttpResponse;
  if (typeof body !== "string" && !(body instanceof Uint8Array)) for await (const _ of body);
  return status;
}
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a rotated server certificate", () => {
  it("T2, C4: with the new authority already in the bundle: the files are read once for all calls, and none fails", async () => {
    const { server, host, transport, drop } = await rig();
    expect(await ask(transport)).toBe(200);
    server.setSecureContext(serverOf(after));
    host.files.set("/ca.crt", after.certificate);
    await drop();
    const reads = host.reads.length;
    expect(await Promise.all(Array.from({ length: 10 }, (_, call) => ask(transport, call % 2 === 0 ? "GET" : "POST")))).toEqual(
      Array.from({ length: 10 }, () => 200),
    );
    expect(host.reads.length - reads).toBe(1);
  });

  it("T2, C4: before the bundle is updated: calls fail and nothing is sent; they succeed once it is updated", async () => {
    const { server, host, runtime, transport, drop } = await rig();
    expect(await ask(transport)).toBe(200);
    server.setSecureContext(serverOf(after));
    await drop();
    expect(await failure(ask(transport, "POST"))).toMatchObject({ name: "TransportError", reason: "tls", sent: "no" });
    host.files.set("/ca.crt", `${before.certificate}${after.certificate}`);
    await runtime.clock.advance(1000);
    expect(await ask(transport, "POST")).toBe(200);
  });

  it.each(["<html>", "", before.certificate.slice(0, 100)])("C4: with a bundle that becomes %j nothing changes", async (garbage) => {
    const { host, runtime, transport, drop } = await rig();
    expect(await ask(transport)).toBe(200);
    host.files.set("/ca.crt", garbage);
    await runtime.clock.advance(60_000);
    await drop();
    expect(await ask(transport)).toBe(200);
  });

  it("T2: makes WebSockets reread the bundle as well", async () => {
    const { server, host, transport } = await rig();
    server.on("upgrade", ({ headers }: IncomingMessage, socket: Socket) => {
      const accept = createHash("sha1").update(`${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\nsec-websocket-protocol: p\r\n\r\n`,
      );
    });
    expect(await ask(transport)).toBe(200);
    server.setSecureContext(serverOf(after));
    host.files.set("/ca.crt", after.certificate);
    const controller = new AbortController();
    const channel = await nodeWebSocket(transport.webSocket)({ path: "/exec", headers: {}, protocols: ["p"], signal: controller.signal });
    expect(channel.protocol).toBe("p");
    controller.abort();
    await channel.closed;
  });
});

describe("a rotated client certificate", () => {
  it("T3, C5: after a 401 on a live connection it is reread at once, presented on a new one, and no call fails", async () => {
    const [alice, bob] = ["alice", "bob"].map((commonName) => before.issue({ commonName }));
    let valid = "alice";
    const { host, transport } = await rig({
      files: { "/tls.crt": alice?.certificate ?? "", "/tls.key": alice?.key ?? "" },
      access: {
        credentials: { clientCertificate: { certificate: { kind: "file", path: "/tls.crt" }, key: { kind: "file", path: "/tls.key" } } },
      },
      admits: ({ socket }) => (socket as TLSSocket).getPeerCertificate().subject?.CN === valid,
    });
    expect(await ask(transport)).toBe(200);
    valid = "bob";
    host.files.set("/tls.crt", bob?.certificate ?? "").set("/tls.key", bob?.key ?? "");
    expect(await Promise.all(["GET", "POST", "GET"].map((method) => ask(transport, method)))).toEqual([200, 200, 200]);
    valid = "carol";
    expect(await ask(transport)).toBe(401);
  });
});
