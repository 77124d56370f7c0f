/** A custom kind for apply.test.ts, in two versions that own some of their lists and objects differently. */
import type { Schema } from "@drover/machinery";

const text: Schema = { type: "string" };
const whole: Schema = { type: "integer" };
const item: Schema = {
  type: "object",
  properties: { name: text, value: text, words: { type: "array", "x-kubernetes-list-type": "set", items: text } },
  required: ["name"],
};

/** A custom kind with every sort of list and object. */
export const sampleSchema: Schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        text,
        whole,
        flag: { type: "boolean" },
        amount: { "x-kubernetes-int-or-string": true },
        words: { type: "array", "x-kubernetes-list-type": "set", items: text },
        numbers: { type: "array", "x-kubernetes-list-type": "set", items: whole },
        atomicWords: { type: "array", items: text },
        items: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], items: item },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port", "protocol"],
          items: {
            type: "object",
            properties: {
              port: whole,
              protocol: { type: "string", default: "TCP" },
              name: text,
              inner: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], items: item },
            },
            required: ["port"],
          },
        },
        atomicItems: { type: "array", "x-kubernetes-list-type": "atomic", items: item },
        map: { type: "object", additionalProperties: text },
        atomicMap: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: text },
        mapOfObjects: { type: "object", additionalProperties: { type: "object", properties: { a: text, b: whole } } },
        mapOfLists: { type: "object", additionalProperties: { type: "array", "x-kubernetes-list-type": "set", items: text } },
        atomicPart: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: text, b: whole } },
        part: { type: "object", properties: { a: text, b: { type: "object", properties: { a: whole, c: text } } } },
        open: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { a: text } },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        anything: { "x-kubernetes-preserve-unknown-fields": true },
        template: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
          properties: { a: text },
        },
      },
    },
    status: {
      type: "object",
      properties: {
        text,
        conditions: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], items: item },
      },
    },
  },
};

const spec = sampleSchema.properties?.["spec"] ?? {};
const swap = (schema: Schema, key: string, value: unknown): Schema => ({ ...schema, [key]: value });
/** The same kind in a version in which some of its lists and objects have the other kind of ownership. */
export const otherSchema: Schema = {
  ...sampleSchema,
  properties: {
    ...sampleSchema.properties,
    spec: {
      ...spec,
      properties: {
        ...spec.properties,
        words: { type: "array", items: text },
        items: { type: "array", "x-kubernetes-list-type": "atomic", items: item },
        map: swap(spec.properties?.["map"] ?? {}, "x-kubernetes-map-type", "atomic"),
        part: swap(spec.properties?.["part"] ?? {}, "x-kubernetes-map-type", "atomic"),
        atomicMap: { type: "object", additionalProperties: text },
      },
    },
  },
};
