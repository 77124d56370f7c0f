import { createServer } from "node:https";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { certificateAuthority } from "@drover/machinery/x509";
import { nodeCrypto } from "@drover/machinery/node";
import { testServer } from "../../testing/test-server.ts";
import type { TestServer } from "../../testing/test-server.ts";
import { patchOf, webhook, webhookServer } from "../../testing/webhook-server.ts";

const path = "/api/v1/namespaces/default/configmaps";
const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const body = (name: string): JsonObject => ({ metadata: { name } });

const clock = new ManualClock({ nowMs: Date.now() });
const authority = certificateAuthority({ commonName: "webhooks", crypto: nodeCrypto, clock });
const { certificatePem: cert, privateKeyPem: key } = authority.issue({ commonName: "hook", ips: ["127.0.0.1"], usage: "server" });

let answer: RequestListener = () => undefined;
const hooks = createServer({ cert, key }, (request, response) => answer(request, response));
let server: TestServer;

beforeAll(async () => {
  await new Promise<void>((resolve) => hooks.listen(0, "127.0.0.1", resolve));
  server = await testServer();
  const { port } = hooks.address() as AddressInfo;
  const clientConfig = { url: `https://127.0.0.1:${port}/`, caBundle: btoa(authority.certificatePem) };
  await server.call("POST", configurations, { metadata: { name: "v" }, webhooks: [webhook("v", { clientConfig, timeoutSeconds: 5 })] });
});
afterAll(() => {
  server.close();
  hooks.closeAllConnections();
  hooks.close();
});

/** The message of a create through the webhook. */
const refused = async (): Promise<unknown> => (await server.call("POST", path, body("c"))).object["message"];
const isAlive = async (): Promise<boolean> => (await server.call("GET", "/api/v1/namespaces/default")).status === 200;

describe("a hostile webhook", () => {
  it("that answers with gigabytes is cut off at 3 MiB", async () => {
    answer = (_, response) => {
      const pour = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
        response.once("drain", pour);
      };
      pour();
    };
    expect(await refused()).toContain("the response has more than 3145728 bytes");
    expect((await server.call("GET", "/metrics")).text).toContain('drover_budget_exceeded_total{budget="apiserver/webhook-response"} 1');
    expect(await isAlive()).toBe(true);
  });

  it("that answers with very deep JSON is an error", async () => {
    answer = (_, response) => void response.end("[".repeat(1_000_000));
    expect(await refused()).toContain("failed calling webhook");
    expect(await isAlive()).toBe(true);
  });

  it("that hangs up in the middle is an error", async () => {
    answer = (_, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("{", () => response.socket?.destroy());
    };
    expect(await refused()).toContain("failed calling webhook");
  });

  it("that is silent ends at its timeout, while others are served", async () => {
    answer = () => undefined;
    const waiting = refused();
    expect(await isAlive()).toBe(true);
    const ended = { message: undefined as unknown };
    void waiting.then((text) => (ended.message = text));
    while (ended.message === undefined) {
      await server.clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(ended.message).toContain("context deadline exceeded");
  });

  it("is not waited for after the client has left", async () => {
    const leaving = new AbortController();
    const closed = new Promise<void>((resolve) => {
      answer = (request) => {
        request.socket.once("close", () => resolve());
        leaving.abort(new DOMException("left", "AbortError"));
      };
    });
    const request = { method: "POST", path, headers: {}, body: JSON.stringify(body("c")), signal: leaving.signal };
    await expect(server.handle(request)).rejects.toThrow("left");
    await closed;
  });

  it("that pollutes prototypes or patches without end changes nothing else", async () => {
    const { hook, register, call, close } = await webhookServer();
    hook("m", () => patchOf({ op: "add", path: "/__proto__/polluted", value: "yes" }));
    await register("mutating", "m", webhook("m"));
    await call("POST", path, body("c"));
    expect(({} as Record<string, unknown>)["polluted"]).toBe(undefined);
    hook("m", () => patchOf(...Array.from({ length: 10_001 }, () => ({ op: "add", path: "/metadata/labels", value: {} }))));
    expect((await call("POST", path, body("d"))).status).toBe(500);
    const double = [
      { op: "add", path: "/data", value: { a: "x".repeat(1000) } },
      ...Array.from({ length: 30 }, () => ({ op: "copy", from: "/data", path: "/data/a" })),
    ];
    hook("m", () => patchOf(...double));
    expect((await call("POST", path, body("e"))).status).toBe(500);
    hook("m", () => ({ allowed: true, warnings: Array.from({ length: 100_000 }, (_, index) => `warning ${index}`) }));
    const { headers } = await call("POST", path, body("f"));
    expect(JSON.stringify(headers).length).toBeLessThan(10_000);
    close();
  });
});
