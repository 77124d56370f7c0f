/** A small definition for tests, and any change to it. */
import type { JsonObject } from "@drover/machinery";

/** What differs from the sample. */
export interface SampleCrdParts {
  readonly group?: string;
  readonly scope?: string;
  readonly names?: object;
  /** Versions instead of its one. */
  readonly versions?: readonly object[];
  /** Parts of its one version. */
  readonly version?: object;
  /** The schema of its spec. */
  readonly spec?: object;
  readonly conversion?: object;
}

/** A definition of widgets, as a file would have it. */
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
  return {
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
  } as unknown as JsonObject;
}
