/** The custom kinds of the world: Widget with every construct of a schema, Gadget with almost none. */
import type { JsonObject } from "@drover/machinery";
import { definitions, hasCondition } from "../differential/probe-objects.ts";
import { ProbeSession } from "../differential/session.ts";
import type { ProbeTarget } from "../differential/session.ts";
import { worldGroup } from "./world-kinds.ts";

const conditions: JsonObject = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
  items: {
    type: "object",
    required: ["type"],
    properties: {
      type: { type: "string" },
      status: { type: "string" },
      reason: { type: "string" },
      message: { type: "string" },
      lastTransitionTime: { type: "string", format: "date-time" },
      observedGeneration: { type: "integer", format: "int64" },
    },
  },
};

const widgetSchema: JsonObject = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        size: { type: "integer", minimum: 0, maximum: 10, default: 3 },
        mode: { type: "string", enum: ["a", "b"], default: "a" },
        name: { type: "string", maxLength: 5 },
        replicas: { type: "integer" },
        when: { type: "string", format: "date-time" },
        amount: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
        tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        parts: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["key", "port"],
          items: {
            type: "object",
            required: ["key"],
            properties: { key: { type: "string" }, port: { type: "integer", default: 80 }, value: { type: "string", default: "v" } },
          },
        },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        atomic: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: { type: "string" } },
      },
    },
    status: {
      type: "object",
      properties: { replicas: { type: "integer" }, selector: { type: "string" }, phase: { type: "string", default: "Off" }, conditions },
    },
  },
};

const gadgetSchema: JsonObject = {
  type: "object",
  "x-kubernetes-preserve-unknown-fields": true,
  properties: { limit: { type: "integer", maximum: 5 } },
};

const definition = (kind: string, version: JsonObject): JsonObject => {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${worldGroup}` },
    spec: {
      group: worldGroup,
      scope: "Namespaced",
      names: { plural, kind },
      versions: [{ name: "v1", served: true, storage: true, ...version }],
    },
  };
};

const worldDefinitions: readonly JsonObject[] = [
  definition("Widget", {
    schema: { openAPIV3Schema: widgetSchema },
    selectableFields: [{ jsonPath: ".spec.mode" }, { jsonPath: ".spec.size" }],
    subresources: {
      status: {},
      scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas", labelSelectorPath: ".status.selector" },
    },
  }),
  definition("Gadget", { schema: { openAPIV3Schema: gadgetSchema } }),
];

/**
 * Defines the custom kinds on a server, once, and waits until they can be written: the first create of a kind takes the
 * real server two seconds.
 */
export async function defineWorld(target: ProbeTarget): Promise<void> {
  const session = new ProbeSession(target, "default");
  for (const body of worldDefinitions) {
    const { body: made } = await session.quietly("POST", definitions, body);
    const { metadata, spec } = made as {
      readonly metadata: { readonly name: string };
      readonly spec: { readonly names: { readonly plural: string; readonly kind: string } };
    };
    await session.settle({ path: `${definitions}/${metadata.name}` }, (answer) => hasCondition(answer, "Established"));
    const path = session.in(`${worldGroup}/v1/${spec.names.plural}`);
    await session.settle({ path }, ({ status }) => status === 200);
    await session.quietly("POST", path, { apiVersion: `${worldGroup}/v1`, kind: spec.names.kind, metadata: { name: "first" } });
  }
}
