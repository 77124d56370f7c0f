/** A small CustomResourceDefinition for tests, with overrides. */
import type { JsonObject } from "@drover/machinery";

/** Overrides. */
export interface SampleCrdParts {
  readonly group?: string;
  readonly scope?: string;
  readonly names?: object;
  /** Replaces all versions. */
  readonly versions?: readonly object[];
  /** Fields of its only version. */
  readonly version?: object;
  /** Schema of the spec. */
  readonly spec?: object;
  readonly conversion?: object;
}

/** Returns a definition of widgets, as read from a file. */
export function sampleCrd({
  group = "shop.example.com",
  scope = "Namespaced",
  names = {},
  versions,
  version = {},
  spec = { type: "object", properties: { size: { type: "integer", default: 3, maximum: 9 } } },
  conversion,
}: SampleCrdParts = {}): JsonObject {
  const own = {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
    ...version,
  };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}`, uid: "u1", resourceVersion: "7", labels: { a: "b" } },
    spec: {
      group,
      scope,
      names: { kind: "Widget", plural: "widgets", ...names },
      versions: versions ?? [own],
      ...(conversion === undefined ? {} : { conversion }),
    },
    status: { storedVersions: ["v1"] },
  };
  return JSON.parse(JSON.stringify(definition)) as JsonObject;
}
