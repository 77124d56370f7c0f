/** The two webhook plug-ins, with what they share. */
import type { Runtime } from "@drover/machinery";
import type { Authorizer } from "../../access/authorizer.ts";
import type { ObjectStore } from "../../registry/object-store.ts";
import type { Registry } from "../../registry/registry.ts";
import type { Resource } from "../../registry/resource.ts";
import { StoredIndex } from "../../registry/stored-index.ts";
import type { WebhookClient } from "../../webhook/webhook-client.ts";
import type { AdmissionPlugin } from "../admission.ts";
import { NamespaceMatch } from "../match/selector-match.ts";
import { mutatingWebhooks } from "./mutating-webhooks.ts";
import type { WebhookServices } from "./mutating-webhooks.ts";
import { registeredWebhooks } from "./registered-webhook.ts";
import type { RegisteredWebhook } from "./registered-webhook.ts";
import { validatingWebhooks } from "./validating-webhooks.ts";
import { WebhookMetrics } from "./webhook-metrics.ts";

/** What the plug-ins use. */
export interface WebhookPluginServices {
  readonly objects: ObjectStore;
  readonly registry: Registry;
  readonly authorizer: Authorizer;
  readonly runtime: Runtime;
  readonly webhooks: WebhookClient;
}

/** Returns MutatingAdmissionWebhook and ValidatingAdmissionWebhook. `resource` finds a built-in resource. */
export function admissionWebhooks(
  { objects, registry, authorizer, runtime, webhooks }: WebhookPluginServices,
  resource: (group: string, plural: string) => Resource,
): readonly [mutating: AdmissionPlugin, validating: AdmissionPlugin] {
  const services: WebhookServices = {
    registry,
    authorizer,
    namespaces: new NamespaceMatch(objects, resource("", "namespaces")),
    metrics: new WebhookMetrics(runtime.metrics),
    client: webhooks,
    clock: runtime.clock,
    uid: runtime.uid,
    log: runtime.log,
  };
  const stored = (plural: string): StoredIndex<readonly RegisteredWebhook[]> =>
    new StoredIndex(objects, resource("admissionregistration.k8s.io", plural), registeredWebhooks);
  return [
    mutatingWebhooks(stored("mutatingwebhookconfigurations"), services),
    validatingWebhooks(stored("validatingwebhookconfigurations"), services),
  ];
}
