/**
 * The documents of a small server, for tests: two groups, a subresource whose body is another kind, and definitions
 * that every document repeats.
 */
import type { JsonValue } from "@drover/machinery";
import type { ServerDocuments } from "./openapi.ts";

const ref = (name: string): JsonValue => ({ $ref: `#/components/schemas/${name}` });
const metadata: JsonValue = { allOf: [ref("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")], default: {}, description: "prose" };
const objectMeta: JsonValue = {
  type: "object",
  properties: { name: { type: "string" }, labels: { type: "object", additionalProperties: { type: "string" } } },
};
const unused: JsonValue = { type: "object", "x-kubernetes-group-version-kind": [{ group: "", version: "v1", kind: "Status" }] };

/** Parts of the sample that a test may replace. */
export interface SampleParts {
  readonly widgetSpec?: JsonValue;
  readonly widgets?: Readonly<Record<string, JsonValue>>;
}

/** The documents, with the parts a test is about. */
export function sampleServer({ widgetSpec = { type: "object" }, widgets = {} }: SampleParts = {}): ServerDocuments {
  const shared = { "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": objectMeta, "io.k8s.apimachinery.pkg.apis.meta.v1.Status": unused };
  const verbs = ["get", "list"];
  return {
    openapi: [
      { info: { title: "no schemas" } },
      {
        components: {
          schemas: {
            ...shared,
            "com.example.api.shop.v1.Widget": {
              type: "object",
              description: "prose",
              required: ["spec"],
              properties: {
                kind: { type: "string" },
                apiVersion: { type: "string" },
                metadata,
                spec: { allOf: [ref("com.example.api.shop.v1.WidgetSpec")], default: {} },
              },
              "x-kubernetes-group-version-kind": [{ group: "shop.example.com", version: "v1", kind: "Widget" }],
            },
            "com.example.api.shop.v1.WidgetSpec": widgetSpec,
          },
        },
      },
      {
        components: {
          schemas: {
            ...shared,
            "com.example.api.core.v1.Part": {
              type: "object",
              properties: { metadata, size: { type: "string", enum: ["S", "L"] } },
              "x-kubernetes-group-version-kind": [{ group: "", version: "v1", kind: "Part" }],
            },
          },
        },
      },
    ],
    discovery: [
      {
        items: [
          {
            metadata: {},
            versions: [
              {
                version: "v1",
                resources: [
                  {
                    resource: "parts",
                    singularResource: "part",
                    scope: "Cluster",
                    verbs,
                    responseKind: { group: "", version: "", kind: "Part" },
                  },
                ],
              },
            ],
          },
        ],
      },
      {
        items: [
          {
            metadata: { name: "shop.example.com" },
            versions: [
              {
                version: "v1",
                resources: [
                  {
                    resource: "widgets",
                    singularResource: "widget",
                    scope: "Namespaced",
                    verbs,
                    shortNames: ["w"],
                    responseKind: { group: "", version: "", kind: "Widget" },
                    subresources: [
                      { subresource: "status", verbs: ["update"], responseKind: { group: "", version: "", kind: "Widget" } },
                      { subresource: "part", verbs: ["create"], responseKind: { group: "", version: "v1", kind: "Part" } },
                    ],
                    ...widgets,
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  };
}
