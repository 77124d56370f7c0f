import { nodeCrypto } from "@drover/machinery/node";
import { describe, expect, it } from "vitest";
import { webhookServing } from "./run-webhooks.ts";
import type { RunWebhooksOptions, WebhookSite } from "./run-webhooks.ts";

const parts = { listen: () => Promise.reject(new Error("not called")), crypto: nodeCrypto };
const site = { name: "shop", podNamespace: undefined, access: { server: "https://127.0.0.1:6443" }, namespace: "default", server: true };
const serving = (options: RunWebhooksOptions, change: Partial<WebhookSite> = {}): object =>
  webhookServing(options, { ...site, ...change }, parts);
const urlOf = (options: object, address: string): unknown => (options as { target: (address: string) => unknown }).target(address);

describe("webhooks of app.run", () => {
  it("are reached through the operator's Service in a pod", () => {
    expect(serving({}, { podNamespace: "shops" })).toMatchObject({
      port: 9443,
      target: { service: { name: "shop", namespace: "shops" } },
      namespace: "shops",
    });
    expect(serving({ port: 8443, service: { name: "hooks", port: 444 } }, { podNamespace: "shops" })).toMatchObject({
      port: 8443,
      target: { service: { name: "hooks", namespace: "shops", port: 444 } },
    });
  });

  it.each(["https://127.0.0.1:6443", "https://localhost:6443", "https://[::1]:6443"])(
    "are reached on this machine if the API server is at %s",
    (server) => {
      const options = serving({}, { access: { server } });
      expect(options).toMatchObject({ host: "127.0.0.1", port: 0, namespace: "default" });
      expect(urlOf(options, "127.0.0.1:40001")).toEqual({ url: "https://127.0.0.1:40001" });
    },
  );

  it("listen on all addresses if the API server reaches another one", () => {
    const options = serving({ host: "2001:db8::7", port: 9443 }, { access: { server: "https://api.example.com" } });
    expect(options).toMatchObject({ host: "", port: 9443 });
    expect(urlOf(options, "[::]:9443")).toEqual({ url: "https://[2001:db8::7]:9443" });
  });

  it("are reached either at a host or through a Service", () => {
    expect(() => serving({ host: "192.0.2.7", service: {} })).toThrow("either the Service or the host");
    const options = serving({ host: "192.0.2.7", port: 9443 }, { podNamespace: "shops" });
    expect(urlOf(options, "0.0.0.0:9443")).toEqual({ url: "https://192.0.2.7:9443" });
  });

  it("need an address that a remote API server reaches, unless someone else registers them", () => {
    const remote = { access: { server: "https://api.example.com" } };
    expect(() => serving({}, remote)).toThrow(/not on this machine.*\n {2}fix: app.run\(\{ webhooks: \{ host:/);
    expect(serving({ registration: "off" }, remote)).toMatchObject({ registration: "off" });
    expect(serving({}, { ...remote, server: false })).toMatchObject({ namespace: "default" });
  });
});
