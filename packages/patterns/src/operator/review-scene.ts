/** Reviews as the API server sends them, for tests of handlers. */
import type { Client } from "@drover/client";
import type { AdmissionAnswer, AdmissionRequest, AdmissionWebhook } from "@drover/controller";
import { applyJsonPatch, parseGroupVersion } from "@drover/machinery";
import type { JsonValue, KubeObject } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";

/** For handlers that do not use it. */
export const noClient = (): Client => ({}) as Client;

/** A request to create this object. */
export function reviewOf(object: KubeObject, change: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const { group, version } = parseGroupVersion(object.apiVersion ?? "");
  const kind = object.kind ?? "";
  return {
    uid: "1",
    kind: { group, version, kind },
    resource: { group, version, resource: `${kind.toLowerCase()}s` },
    subresource: "",
    name: object.metadata.name ?? "",
    namespace: object.metadata.namespace ?? "",
    operation: "CREATE",
    user: { username: "ann", uid: "", groups: ["system:authenticated"], extra: {} },
    object,
    isDryRun: false,
    options: {},
    ...change,
  };
}

/** Asks the webhook of this type. */
export async function ask(
  webhooks: readonly AdmissionWebhook[],
  type: AdmissionWebhook["type"],
  request: AdmissionRequest,
): Promise<AdmissionAnswer> {
  const webhook = webhooks.find((one) => one.type === type);
  if (webhook === undefined) throw new Error(`there is no ${type} webhook`);
  return webhook.handle(request, { signal: new AbortController().signal, log: testRuntime().log });
}

/** The object after the answer's patch. */
export const patched = (object: KubeObject, { patch = [] }: AdmissionAnswer): JsonValue =>
  applyJsonPatch(object as unknown as JsonValue, patch);
