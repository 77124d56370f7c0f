/** Reviews as the API server sends them, and webhooks that answer them. */
import { encodeJson } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import type { AdmissionWebhook } from "../webhook.ts";

/** A webhook with the name as its path. */
export const webhookNamed = (
  name: string,
  fields: Pick<AdmissionWebhook, "type" | "handle"> & Partial<AdmissionWebhook>,
): AdmissionWebhook => ({
  name: `${name}.example.com`,
  path: `/${name}`,
  rules: [{ operations: ["CREATE"], apiGroups: ["demo.example.com"], apiVersions: ["v1"], resources: ["webapps"] }],
  ...fields,
});

export const webApp: JsonObject = {
  apiVersion: "demo.example.com/v1",
  kind: "WebApp",
  metadata: { name: "shop", namespace: "default" },
  spec: {},
};

/** An AdmissionReview of a creation; `request` overrides its fields. */
export const admissionBody = (request: JsonObject, apiVersion = "admission.k8s.io/v1"): string =>
  encodeJson({
    kind: "AdmissionReview",
    apiVersion,
    request: {
      kind: { group: "demo.example.com", version: "v1", kind: "WebApp" },
      resource: { group: "demo.example.com", version: "v1", resource: "webapps" },
      name: "shop",
      namespace: "default",
      operation: "CREATE",
      userInfo: { username: "alice", groups: ["dev"], extra: { scopes: ["a"] } },
      object: webApp,
      oldObject: null,
      dryRun: false,
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
      ...request,
    },
  });

/** A ConversionReview to v2; the objects need not be complete. */
export const conversionBody = (objects: readonly JsonObject[], desiredAPIVersion = "demo.example.com/v2"): string =>
  encodeJson({
    kind: "ConversionReview",
    apiVersion: "apiextensions.k8s.io/v1",
    request: { uid: "c1", desiredAPIVersion, objects: objects.map((object) => ({ ...webApp, ...object })) },
  });
