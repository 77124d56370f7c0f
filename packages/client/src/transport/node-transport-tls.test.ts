/**
 * The transport over real TLS on loopback: trust, names, dates, client certificates, and the number of handshakes.
 */
import { once } from "node:events";
import { createServer } from "node:https";
import { connect as connectTcp } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { TLSSocket, TlsOptions } from "node:tls";
import { inspect } from "node:util";
import { TransportError, nodeTransport } from "../index.ts";
import type { NodeTransportOptions, TlsSettings } from "../index.ts";
import { Secret } from "@drover/machinery";
import type { HttpResponse, Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import { authority } from "./testing/certificates.ts";
import type { Issued } from "./testing/certificates.ts";

const ours = authority("drover test authority");
const theirs = authority("another authority");
const good = ours.issue({ commonName: "server", dnsNames: ["api.internal"], addresses: ["127.0.0.1"] });

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function serve(
  { certificate, key }: Issued,
  options: TlsOptions = {},
): Promise<{ url: string; port: number; handshakes: () => number; names: (string | false | null)[]; peers: string[] }> {
  const names: (string | false | null)[] = [];
  const peers: string[] = [];
  let handshakes = 0;
  const server = createServer({ cert: certificate, key, keepAliveTimeout: 60_000, ...options }, (_, response) => response.end("ok"));
  server.on("secureConnection", (socket: TLSSocket) => {
    handshakes++;
    names.push((socket as TLSSocket & { readonly servername?: string | false }).servername ?? null);
    peers.push(String((socket.getPeerCertificate() as { readonly subject?: { readonly CN?: string } }).subject?.CN));
  });
  server.on("tlsClientError", () => undefined).on("connection", (socket: Socket) => void socket.on("error", () => undefined));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, port, handshakes: () => handshakes, names, peers };
}

function transportTo(
  server: string,
  settings: Partial<TlsSettings> | (() => Partial<TlsSettings>),
  options: Partial<NodeTransportOptions> = {},
): Transport {
  const { clock, log } = testRuntime();
  const current = typeof settings === "function" ? settings : () => settings;
  const transport = nodeTransport({
    server,
    clock,
    log,
    tls: () => Promise.resolve({ generation: 1, insecure: false, ...current() }),
    ...options,
  });
  cleanups.push(transport.close);
  return transport;
}

const ask = async (transport: Transport): Promise<string> => text(await transport({ method: "GET", path: "/version", headers: {} }));

async function text({ body }: HttpResponse): Promise<string> {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString("utf8");
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

const failure = async (transport: Transport): Promise<TransportError> => {
  const error = await ask(transport).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TransportError);
  return error as TransportError;
};

describe("the client's transport over TLS", () => {
  it("needs one handshake for 200 consecutive requests", async () => {
    const server = await serve(good);
    const transport = transportTo(server.url, { ca: ours.certificate });
    for (let count = 0; count < 200; count++) expect(await ask(transport)).toBe("ok");
    expect(server.handshakes()).toBe(1);
  });

  it.each<[string, Issued, string, string]>([
    [
      "T2, C4: an authority we do not trust",
      theirs.issue({ commonName: "server", addresses: ["127.0.0.1"] }),
      "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
      "check certificate-authority",
    ],
    [
      "T2: a certificate that has expired",
      ours.issue({ commonName: "server", addresses: ["127.0.0.1"], notAfter: "20210101000000Z" }),
      "CERT_HAS_EXPIRED",
      "has expired",
    ],
    [
      "T12, C20: a certificate that is not yet valid",
      ours.issue({ commonName: "server", addresses: ["127.0.0.1"], notBefore: "21000101000000Z" }),
      "CERT_NOT_YET_VALID",
      "compare the clocks",
    ],
    [
      "C19: a certificate for another name",
      ours.issue({ commonName: "server", dnsNames: ["elsewhere.example"] }),
      "ERR_TLS_CERT_ALTNAME_INVALID",
      "set tls-server-name",
    ],
  ])("%s: reason tls, advice, nothing sent", async (_, issued, code, advice) => {
    const server = await serve(issued);
    const error = await failure(transportTo(server.url, { ca: ours.certificate }));
    expect(error).toMatchObject({ reason: "tls", code, sent: "no" });
    expect(error.message).toContain(`connect to 127.0.0.1:${server.port}`);
    expect(error.message).toContain(advice);
    expect(await ask(transportTo(server.url, { insecure: true }))).toBe("ok");
  });

  it("C19: rejects a server that offers only TLS 1.1", async () => {
    const server = createTlsServer({
      cert: good.certificate,
      key: good.key,
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "ALL:@SECLEVEL=0",
    })
      .on("tlsClientError", () => undefined)
      .listen(0, "127.0.0.1");
    await once(server, "listening");
    cleanups.push(() => server.close());
    expect(
      await failure(transportTo(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, { ca: ours.certificate })),
    ).toMatchObject({ reason: "tls", sent: "no" });
  });

  it("sends and verifies the server name if there is one, and sends none for an address", async () => {
    const server = await serve(good);
    expect(await ask(transportTo(server.url, { ca: ours.certificate, serverName: "api.internal" }))).toBe("ok");
    expect(await ask(transportTo(server.url, { ca: ours.certificate }))).toBe("ok");
    expect(await failure(transportTo(server.url, { ca: ours.certificate, serverName: "other.internal" }))).toMatchObject({
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
    });
    expect(server.names.slice(0, 2)).toEqual(["api.internal", false]);
  });

  it("trusts the server's own certificate when it is in the bundle, as Go does", async () => {
    const server = await serve(good);
    expect(await ask(transportTo(server.url, { ca: good.certificate }))).toBe("ok");
  });

  it("T3, C5: presents its client certificate, and the new one after a rotation, and never exposes the key", async () => {
    const server = await serve(good, { requestCert: true, rejectUnauthorized: true, ca: ours.certificate });
    const [first, second] = ["alice", "bob"].map((commonName) => ours.issue({ commonName, organizations: ["system:masters"] }));
    let settings: Partial<TlsSettings> = {
      ca: ours.certificate,
      generation: 1,
      certificate: first?.certificate ?? "",
      key: new Secret(first?.key ?? ""),
    };
    const transport = transportTo(server.url, () => settings);
    expect(await ask(transport)).toBe("ok");
    settings = { ca: ours.certificate, generation: 2, certificate: second?.certificate ?? "", key: new Secret(second?.key ?? "") };
    expect(await ask(transport)).toBe("ok");
    expect(await ask(transport)).toBe("ok");
    expect(server.peers).toEqual(["alice", "bob"]);
    const keyLine = first?.key.split("\n")[1] ?? "none";
    expect(inspect(transport, { depth: 20, showHidden: true })).not.toContain(keyLine);
    const broken = await failure(
      transportTo(server.url, { ca: ours.certificate, certificate: second?.certificate ?? "", key: new Secret(first?.key ?? "") }),
    );
    expect(broken).toMatchObject({ reason: "tls", sent: "no" });
    expect(inspect(broken, { depth: 20, showHidden: true })).not.toContain(keyLine);
  });

  it("reports that the server requires a client certificate", async () => {
    const server = await serve(good, { requestCert: true, rejectUnauthorized: true, ca: ours.certificate });
    const error = await failure(transportTo(server.url, { ca: ours.certificate }));
    expect(["tls", "reset", "aborted-by-peer"]).toContain(error.reason);
  });

  it("uses a proxy behind TLS, and verifies it like the server", async () => {
    const server = await serve(good);
    const proxyWith = async ({ certificate, key }: Issued): Promise<string> => {
      const proxy = createTlsServer({ cert: certificate, key }, (socket) => {
        socket
          .on("error", () => undefined)
          .once("data", () => {
            const onward = connectTcp(server.port, "127.0.0.1");
            onward.on("error", () => undefined);
            socket.write("HTTP/1.1 200 OK\r\n\r\n");
            socket.pipe(onward).pipe(socket);
          });
      })
        .on("tlsClientError", () => undefined)
        .listen(0, "127.0.0.1");
      await once(proxy, "listening");
      cleanups.push(() => void proxy.close());
      return `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    };
    const through = transportTo(server.url, { ca: ours.certificate }, { proxyUrl: await proxyWith(good) });
    expect(await ask(through)).toBe("ok");
    expect(await ask(through)).toBe("ok");
    expect(server.handshakes()).toBe(1);
    const strange = await failure(
      transportTo(
        server.url,
        { ca: ours.certificate },
        { proxyUrl: await proxyWith(theirs.issue({ commonName: "proxy", addresses: ["127.0.0.1"] })) },
      ),
    );
    expect(strange).toMatchObject({ reason: "proxy", sent: "no" });
  });

  it("T2, C4: uses a new authority for new connections", async () => {
    const server = await serve(theirs.issue({ commonName: "server", addresses: ["127.0.0.1"] }));
    let settings: Partial<TlsSettings> = { ca: ours.certificate, generation: 1 };
    const transport = transportTo(server.url, () => settings);
    expect(await failure(transport)).toMatchObject({ reason: "tls" });
    settings = { ca: `${ours.certificate}${theirs.certificate}`, generation: 2 };
    expect(await ask(transport)).toBe("ok");
    settings = { ca: "garbage", generation: 3 };
    expect(await failure(transport)).toMatchObject({ reason: "tls", sent: "no" });
  });
});
