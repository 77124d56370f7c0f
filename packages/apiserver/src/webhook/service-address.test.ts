import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { at, webhook, webhookServer } from "../testing/webhook-server.ts";
import { nodeHost } from "../http/node-host.ts";
import type { WebhookCall } from "./webhook-call.ts";

const services = "/api/v1/namespaces/default/services";
const slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

/** Where the server connects for a webhook with the service default/hook, or its error. */
async function connection(service: JsonObject | undefined, slice?: JsonObject): Promise<unknown> {
  const calls: WebhookCall[] = [];
  const webhookCaller = () => (call: WebhookCall) => {
    calls.push(call);
    return Promise.resolve({ status: 500, headers: {}, body: "" });
  };
  const { call, register, close } = await webhookServer({ host: { ...nodeHost, webhookCaller }, webhooks: {} });
  if (service !== undefined)
    await call("POST", services, { ...service, metadata: { name: "hook", ...((service["metadata"] ?? {}) as JsonObject) } });
  if (slice !== undefined)
    await call("POST", slices, { metadata: { name: "s", labels: { "kubernetes.io/service-name": "hook" } }, ...slice });
  await register("validating", "v", webhook("v", { clientConfig: { service: { namespace: "default", name: "hook", port: 443 } } }));
  const { object } = await call("POST", "/api/v1/namespaces/default/configmaps", { metadata: { name: "c" } });
  close();
  const [first] = calls;
  return first?.connectTo ?? at(object, "message");
}

const failed = (why: string): string =>
  `Internal error occurred: failed calling webhook "v.hook.test": failed to call webhook: Post "https://hook.default.svc:443/?timeout=10s": ${why}`;
const ports = [{ name: "https", port: 443, targetPort: 9443 }];

describe("the address of a webhook's service", () => {
  it("is that of its annotation, whatever its ports are", async () => {
    const metadata = { annotations: { "drover.dev/forward-to": "127.0.0.1:9443" } };
    expect(await connection({ metadata, spec: { ports: [{ port: 80 }] } })).toEqual({ host: "127.0.0.1", port: 9443 });
    const ipv6 = { annotations: { "drover.dev/forward-to": "[::1]:9443" } };
    expect(await connection({ metadata: ipv6, spec: { ports } })).toEqual({ host: "::1", port: 9443 });
    const wrong = { annotations: { "drover.dev/forward-to": "9443" } };
    expect(await connection({ metadata: wrong, spec: { ports } })).toBe(
      failed('annotation drover.dev/forward-to: "9443" is not host:port, such as 127.0.0.1:9443'),
    );
  });

  it("is that of a ready endpoint, otherwise the cluster IP", async () => {
    const slice = {
      addressType: "IPv4",
      ports: [{ name: "https", port: 9443 }],
      endpoints: [
        { addresses: ["10.1.0.1"], conditions: { ready: false } },
        { addresses: ["10.1.0.2"], conditions: { ready: true } },
      ],
    };
    expect(await connection({ spec: { ports } }, slice)).toEqual({ host: "10.1.0.2", port: 9443 });
    expect(await connection({ spec: { ports, clusterIP: "10.0.0.77" } })).toEqual({ host: "10.0.0.77", port: 443 });
    expect(await connection({ spec: { type: "ExternalName", externalName: "hook.example.com" } })).toEqual({
      host: "hook.example.com",
      port: 443,
    });
  });

  it("is missing without the service, its port, or any address", async () => {
    expect(await connection(undefined)).toBe(failed('service "hook" not found'));
    expect(await connection({ spec: { ports: [{ port: 80 }] } })).toBe(failed('no service port 443 found for service "hook"'));
    expect(await connection({ spec: { ports, clusterIP: "None" } })).toBe(failed('cannot route to service with ClusterIP "None"'));
  });
});
