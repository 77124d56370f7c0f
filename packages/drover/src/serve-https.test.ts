import { once } from "node:events";
import { Agent, request as httpsRequest } from "node:https";
import { setImmediate as turn } from "node:timers/promises";
import { connect } from "node:tls";
import type { PeerCertificate, TLSSocket } from "node:tls";
import type { HttpRequest, Transport } from "@drover/machinery";
import { nodeCrypto } from "@drover/machinery/node";
import { certificateAuthority } from "@drover/machinery/x509";
import { afterEach, describe, expect, it } from "vitest";
import { serveHttps } from "./serve-https.ts";

const authority = certificateAuthority({ commonName: "ca", crypto: nodeCrypto, clock: { now: () => Date.now() } });
const issue = () => authority.issue({ commonName: "hooks", usage: "server", ips: ["127.0.0.1"] });
const fingerprintOf = (pem: string): string => nodeCrypto.readCertificate(pem).fingerprint;

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function serve(handler: Transport, bodyBytesMax = 1000, clientCa: { readonly clientCaPem?: string } = {}) {
  const pair = issue();
  const server = await serveHttps(handler, { host: "127.0.0.1", port: 0 }, { pair, bodyBytesMax, ...clientCa });
  const stop = new AbortController();
  const over = server.run(stop.signal);
  ends.push(async () => {
    stop.abort();
    await over;
  });
  const port = Number(server.address.split(":")[1]);
  return { server, stop, over, port, pair };
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly connection: string | undefined;
  readonly fingerprint: string;
}

function post(port: number, body: string | Buffer, agent?: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(
      {
        host: "127.0.0.1",
        port,
        method: "POST",
        path: "/x?timeout=5s",
        ca: authority.certificatePem,
        ...(agent === undefined ? { agent: false } : { agent }),
      },
      (response) => {
        const certificate: PeerCertificate = (response.socket as TLSSocket).getPeerCertificate();
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        response.on("end", () => {
          const { statusCode = 0, headers } = response;
          const fingerprint = certificate.fingerprint256.replaceAll(":", "").toLowerCase();
          resolve({ status: statusCode, text, connection: headers.connection, fingerprint });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

const echo: Transport = ({ body }) => Promise.resolve({ status: 200, headers: {}, body: body ?? "" });

describe("serveHttps", () => {
  it("answers nobody but clients of the authority, also after its own certificate was replaced (X21)", async () => {
    const clients = certificateAuthority({ commonName: "clients", crypto: nodeCrypto, clock: { now: () => Date.now() } });
    const known = clients.issue({ commonName: "kube-apiserver", usage: "client" });
    const foreign = authority.issue({ commonName: "kube-apiserver", usage: "client" });
    const asked: string[] = [];
    const { server, port } = await serve(
      (request) => {
        asked.push(request.path);
        return echo(request);
      },
      1000,
      { clientCaPem: clients.certificatePem },
    );
    const as = (pair: { readonly certificatePem: string; readonly privateKeyPem: string }): Agent =>
      new Agent({ cert: pair.certificatePem, key: pair.privateKeyPem });
    for (const _ of ["first pair", "second pair"]) {
      asked.length = 0;
      expect(await post(port, "hello", as(known))).toMatchObject({ status: 200, text: "hello" });
      await expect(post(port, "hello")).rejects.toThrow(/certificate required|ECONNRESET|socket hang up/);
      await expect(post(port, "hello", as(foreign))).rejects.toThrow(/unknown ca|ECONNRESET|socket hang up/);
      expect(asked).toEqual(["/x?timeout=5s"]);
      server.use(issue());
    }
    await expect(serve(echo, 1000, { clientCaPem: "nope" })).rejects.toThrow("clientCaPem has no certificate; it must be the PEM text");
  });

  it("passes the whole body to the handler, with method, path and headers", async () => {
    const seen: HttpRequest[] = [];
    const { port } = await serve((request) => {
      seen.push(request);
      return echo(request);
    });
    expect(await post(port, "hello")).toMatchObject({ status: 200, text: "hello" });
    expect(seen).toMatchObject([{ method: "POST", path: "/x?timeout=5s", headers: { "content-length": "5" } }]);
  });

  it("answers 413 to a body that is too large, and goes on (F6)", async () => {
    const { port } = await serve(echo, 1000);
    expect((await post(port, Buffer.alloc(1001))).status).toBe(413);
    expect((await post(port, Buffer.alloc(2 ** 20))).status).toBe(413);
    expect((await post(port, Buffer.alloc(1000))).status).toBe(200);
  });

  it("serves a hundred new pairs under requests, none of which fails, and refuses pairs that do not belong together (F1)", async () => {
    const { server, port, pair } = await serve(echo);
    const agent = new Agent({ keepAlive: true });
    let served = pair;
    for (let replacement = 0; replacement < 100; replacement++) {
      const next = issue();
      expect(() => server.use({ ...next, privateKeyPem: served.privateKeyPem })).toThrow("belong together");
      expect(() => server.use({ ...next, certificatePem: next.certificatePem.slice(0, 200) })).toThrow("cannot be used");
      const during = replacement % 10 === 0 ? [post(port, "new"), post(port, "kept", agent)] : [post(port, "kept", agent)];
      server.use(next);
      const after = await post(port, "d");
      expect([after.status, after.fingerprint]).toEqual([200, fingerprintOf(next.certificatePem)]);
      for (const { status } of await Promise.all(during)) expect(status).toBe(200);
      served = next;
    }
    agent.destroy();
  }, 60_000);

  it("answers open requests on stop, with connection: close, and accepts no more (F3)", async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const open: string[] = [];
    const { port, stop, over } = await serve(async (request) => {
      open.push(request.path);
      await gate;
      return echo(request);
    });
    const agent = new Agent({ keepAlive: true });
    const waiting = [post(port, "a", agent), post(port, "b", agent)];
    while (open.length < 2) await turn();
    stop.abort();
    await turn();
    await expect(post(port, "late")).rejects.toThrow();
    release();
    expect(await Promise.all(waiting)).toMatchObject([
      { status: 200, text: "a", connection: "close" },
      { status: 200, text: "b", connection: "close" },
    ]);
    await over;
    agent.destroy();
  });

  it("refuses TLS before 1.2, and speaks HTTP/1.1", async () => {
    const { port } = await serve(echo);
    const old = connect({ port, host: "127.0.0.1", ca: authority.certificatePem, minVersion: "TLSv1", maxVersion: "TLSv1.1" });
    await expect(once(old, "secureConnect")).rejects.toThrow();
    const socket = connect({ port, host: "127.0.0.1", ca: authority.certificatePem, ALPNProtocols: ["h2", "http/1.1"] });
    await once(socket, "secureConnect");
    expect(socket.alpnProtocol).toBe("http/1.1");
    socket.destroy();
  });

  it("refuses to open a port with an unusable pair", async () => {
    const pair = { ...issue(), privateKeyPem: issue().privateKeyPem };
    await expect(serveHttps(echo, { host: "127.0.0.1", port: 0 }, { pair, bodyBytesMax: 1 })).rejects.toThrow("belong together");
  });
});
