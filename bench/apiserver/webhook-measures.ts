/** Measures a write that the server asks a webhook about. The webhook runs in the process of the benchmark. */
import { setTimeout as delay } from "node:timers/promises";
import { webhookEndpoint } from "../../conformance/servers/webhook-endpoint.ts";
import type { Times } from "./measures.ts";
import type { Target } from "./target.ts";

const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const configMaps = "/api/v1/namespaces/hooked/configmaps";

/** Creates ConfigMaps one after the other, each through one validating webhook. */
export async function measureWebhook(
  target: Target,
  { samples, warmUps }: { readonly samples: number; readonly warmUps: number },
): Promise<Times> {
  const endpoint = await webhookEndpoint();
  const create = async (name: string): Promise<void> => {
    const { status, text } = await target.send("POST", configMaps, JSON.stringify({ metadata: { name }, data: { key: "value" } }));
    if (status !== 201) throw new Error(`a create through a webhook was answered with ${status}: ${text.slice(0, 300)}`);
  };
  try {
    await target.send("POST", "/api/v1/namespaces", JSON.stringify({ metadata: { name: "hooked" } }));
    const webhook = {
      name: "bench.hook.test",
      clientConfig: { url: endpoint.url("bench"), caBundle: endpoint.caBundle },
      rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "hooked" } },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    };
    await target.send("POST", configurations, JSON.stringify({ metadata: { name: "bench" }, webhooks: [webhook] }));
    // A real server needs a moment until its webhooks are in effect.
    for (let index = 0; endpoint.taken().length === 0; index++) {
      await create(`early-${index}`);
      await delay(10);
    }
    for (let index = 0; index < warmUps; index++) await create(`warm-${index}`);
    const times: number[] = [];
    for (let index = 0; index < samples; index++) {
      const start = performance.now();
      await create(`c-${index}`);
      times.push(performance.now() - start);
    }
    return times.toSorted((a, b) => a - b);
  } finally {
    await target.send("DELETE", `${configurations}/bench`);
    await endpoint.close();
  }
}
