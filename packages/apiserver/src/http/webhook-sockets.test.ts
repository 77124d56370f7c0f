import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import type { RequestListener } from "node:http";
import { createServer as createTcpServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { ManualClock } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import { certificateAuthority } from "@drover/machinery/x509";
import { nodeCrypto } from "@drover/machinery/node";
import { webhookSockets } from "./webhook-sockets.ts";
import { WebhookFailure } from "../webhook/webhook-call.ts";
import type { WebhookCall, WebhookReply } from "../webhook/webhook-call.ts";

const clock = new ManualClock({ nowMs: Date.now() });
const authority = certificateAuthority({ commonName: "webhooks", crypto: nodeCrypto, clock });
const issued = authority.issue({ commonName: "hook", dnsNames: ["hook.shop.svc"], ips: ["127.0.0.1"], usage: "server" });

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    if ("closeAllConnections" in server) (server as unknown as { closeAllConnections: () => void }).closeAllConnections();
    server.close();
  }
});

async function listening(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const https = (listener: RequestListener): Promise<number> =>
  listening(createServer({ cert: issued.certificatePem, key: issued.privateKeyPem }, listener));

const call = (port: number, over: Partial<WebhookCall> = {}): Promise<WebhookReply> =>
  webhookSockets()({
    url: `https://127.0.0.1:${port}/v?timeout=1s`,
    caBundle: authority.certificatePem,
    body: '{"a":1}',
    responseBytesMax: 1000,
    signal: new AbortController().signal,
    ...over,
  });

describe("webhookSockets", () => {
  it("posts JSON and returns the response", async () => {
    const seen: string[] = [];
    const port = await https((request, response) => {
      request.on("data", (chunk: Buffer) => seen.push(`${request.method ?? ""} ${request.url ?? ""} ${chunk.toString()}`));
      request.on("end", () => response.writeHead(201, { "x-a": "b" }).end("ok"));
    });
    expect(await call(port)).toMatchObject({ status: 201, headers: { "x-a": "b" }, body: "ok" });
    expect(seen).toEqual(['POST /v?timeout=1s {"a":1}']);
  });

  it("trusts every certificate of the bundle, as Go does: also that of the webhook itself, without its authority", async () => {
    const port = await https((_, response) => response.end("ok"));
    expect((await call(port, { caBundle: issued.certificatePem })).body).toBe("ok");
    const other = authority.issue({ commonName: "other", ips: ["127.0.0.1"], usage: "server" });
    await expect(call(port, { caBundle: other.certificatePem })).rejects.toThrow("certificate signed by unknown authority");
  });

  it("connects elsewhere for a service, and checks the name of the service", async () => {
    const port = await https((_, response) => response.end("ok"));
    const connectTo = { host: "127.0.0.1", port };
    expect((await call(0, { url: "https://hook.shop.svc:443/v", connectTo })).body).toBe("ok");
    await expect(call(0, { url: "https://other.shop.svc:443/v", connectTo })).rejects.toThrow(
      "tls: failed to verify certificate: x509: certificate is valid for hook.shop.svc, not other.shop.svc",
    );
    const named = authority.issue({ commonName: "named", dnsNames: ["hook.shop.svc"], usage: "server" });
    const nameless = await listening(createServer({ cert: named.certificatePem, key: named.privateKeyPem }));
    await expect(call(nameless)).rejects.toThrow("x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs");
  });

  it("keeps connections open", async () => {
    const ports = new Set<number | undefined>();
    const port = await https((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("ok");
    });
    const send = webhookSockets();
    const one = { url: `https://127.0.0.1:${port}/`, caBundle: authority.certificatePem, body: "{}", responseBytesMax: 10 };
    for (let count = 0; count < 3; count++) await send({ ...one, signal: new AbortController().signal });
    expect(ports.size).toBe(1);
  });

  it("tries again after every idle connection that the webhook has closed", async () => {
    const waiting: (() => void)[] = [];
    const seen = new WeakSet<object>();
    const port = await https((request, response) => {
      if (seen.has(request.socket)) request.socket.destroy();
      else if (waiting.length === 3) response.end("again");
      else {
        seen.add(request.socket);
        waiting.push(() => response.end("ok"));
        if (waiting.length === 3) for (const end of waiting) end();
      }
    });
    const send = webhookSockets();
    const one = { url: `https://127.0.0.1:${port}/`, caBundle: authority.certificatePem, body: "{}", responseBytesMax: 10 };
    const ask = (): Promise<WebhookReply> => send({ ...one, signal: new AbortController().signal });
    await Promise.all([ask(), ask(), ask()]);
    expect((await ask()).body).toBe("again");
  });

  it("refuses certificates that the bundle does not vouch for (X13, S15)", async () => {
    const port = await https((_, response) => response.end("ok"));
    const other = certificateAuthority({ commonName: "other", crypto: nodeCrypto, clock });
    await expect(call(port, { caBundle: other.certificatePem })).rejects.toThrow(
      "tls: failed to verify certificate: x509: certificate signed by unknown authority",
    );
  });

  it("says in Go's words that there is no server, no TLS, or no answer", async () => {
    const free = await listening(createTcpServer());
    const [closed] = open.splice(0);
    await new Promise<void>((resolve) => closed?.close(() => resolve()));
    await expect(call(free)).rejects.toThrow(`dial tcp 127.0.0.1:${free}: connect: connection refused`);
    const plain = await listening(createHttpServer((_, response) => response.end()));
    await expect(call(plain)).rejects.toThrow("http: server gave HTTP response to HTTPS client");
    const rude = await https((request) => request.socket.destroy());
    await expect(call(rude)).rejects.toThrow("EOF");
  });

  it("fails for URLs and certificates that Node refuses", async () => {
    await expect(call(0, { url: "https://[::1%25eth0]/" })).rejects.toThrow(WebhookFailure);
    const port = await https((_, response) => response.end("ok"));
    await expect(call(port, { caBundle: "-----BEGIN CERTIFICATE-----\nMAFh\n-----END CERTIFICATE-----" })).rejects.toThrow(WebhookFailure);
  });

  it("follows no redirects (X9, S10)", async () => {
    const port = await https((_, response) => response.writeHead(307, { location: "https://127.0.0.1:1/" }).end());
    expect((await call(port)).status).toBe(307);
  });

  it("gives up a response that is too large, or ends when the caller does (X9)", async () => {
    const endless = await https((_, response) => {
      const pour = (): void => {
        while (response.write("x".repeat(500)));
        response.once("drain", pour);
      };
      pour();
    });
    await expect(call(endless)).rejects.toThrow("the response has more than 1000 bytes");
    const stop = new AbortController();
    const silent = await https(() => stop.abort(new Error("enough")));
    await expect(call(silent, { signal: stop.signal })).rejects.toThrow("enough");
    const again = new AbortController();
    const slow = await https((_, response) => {
      response.write("x");
      setImmediate(() => again.abort(new Error("enough")));
    });
    await expect(call(slow, { signal: again.signal })).rejects.toThrow("enough");
  });
});
