/** A small archive for tests: deployments and pods, no compression, and a readable "hash". */
import type { JsonObject } from "@drover/machinery";
import { packArchive, v2DocumentName } from "../openapi-archive.ts";
import type { OpenApiHost } from "../openapi-documents.ts";

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1.";
const apps = "io.k8s.api.apps.v1.";

const parameter = (name: string): JsonObject => ({
  name,
  in: name === "namespace" ? "path" : "query",
  schema: { type: "string", uniqueItems: true },
});
const reference = (name: string): JsonObject => ({ $ref: `#/parameters/${name}-12345678` });

/** Operations on deployments, with parameters as v3 or v2 writes them. */
function deploymentPaths(write: (name: string) => JsonObject, body: readonly JsonObject[]): JsonObject {
  const names = (...all: readonly string[]): JsonObject[] => all.map(write);
  const root = "/apis/apps/v1/namespaces/{namespace}/deployments";
  return {
    [root]: {
      get: { parameters: names("limit", "resourceVersion") },
      post: { parameters: [...body, ...names("dryRun")] },
      parameters: names("namespace", "pretty"),
    },
    [`${root}/{name}`]: {
      put: { parameters: [...body, ...names("dryRun")] },
      patch: { parameters: names("force") },
      delete: { parameters: names("gracePeriodSeconds") },
    },
  };
}

export const smallApps: JsonObject = {
  paths: deploymentPaths(parameter, []),
  components: {
    schemas: {
      [`${meta}ObjectMeta`]: { properties: { creationTimestamp: { allOf: [{ $ref: `#/components/schemas/${meta}Time` }] } } },
      [`${meta}Time`]: { type: "string" },
      [`${meta}ListMeta`]: {},
      [`${meta}Status`]: {},
      [`${meta}Patch`]: {},
      [`${meta}DeleteOptions`]: { "x-kubernetes-group-version-kind": [] },
      "io.k8s.api.autoscaling.v1.Scale": {},
      [`${meta}Unused`]: {},
    },
  },
};

const deleteOptionsKinds = ["", "admission.k8s.io", "apps"].map((group) => ({ group, kind: "DeleteOptions", version: "v1" }));

export const smallV2: JsonObject = {
  swagger: "2.0",
  info: { title: "Kubernetes", version: "1.36" },
  paths: {
    "/api/v1/pods": { get: {} },
    ...deploymentPaths(reference, [{ name: "body", in: "body", required: true, schema: { $ref: `#/definitions/${apps}Deployment` } }]),
    "/version/": { get: {} },
  },
  definitions: { [`${meta}DeleteOptions`]: { description: "<b>", "x-kubernetes-group-version-kind": deleteOptionsKinds } },
};

/** Documents "api", "api/v1", "apis/apps", "apis/apps/v1", "version" and v2. `now` is the clock. */
export function smallHost(now: () => number, onRead: (name: string) => void = () => undefined): OpenApiHost {
  const documents: readonly (readonly [string, JsonObject])[] = [
    ["api", {}],
    ["api/v1", {}],
    ["apis/apps", {}],
    ["apis/apps/v1", smallApps],
    ["version", {}],
    [v2DocumentName, smallV2],
  ];
  const packed = packArchive(
    documents.map(([name, document]) => ({ name, hash: `HASH OF ${name}`, bytes: new TextEncoder().encode(JSON.stringify(document)) })),
  );
  return {
    readData: (name) => {
      onRead(name);
      return packed;
    },
    inflate: (bytes) => bytes,
    gzip: (bytes) => Uint8Array.of(0x1f, 0x8b, ...bytes.subarray(0, 4)),
    sha512Hex: (bytes) => `h${bytes.length}`,
    now,
  };
}
