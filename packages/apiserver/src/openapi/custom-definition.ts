/**
 * OpenAPI definitions of a custom resource and its list, with the metadata of every object. All descriptions come from the
 * resource's author.
 */
import { setOwn } from "@drover/machinery";
import type { JsonObject, Schema } from "@drover/machinery";
import type { Resource } from "../registry/resource.ts";
import { printedSchema, supportedSchema } from "./custom-schema.ts";
import type { OpenApiVersion, PublishedSchema } from "./custom-schema.ts";

/** The parts of a resource that OpenAPI needs. */
export type PublishedResource = Pick<Resource, "kind" | "isCustom" | "storageVersion" | "openApiSchema" | "selectableFields">;

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const listMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";

/** "ex.io", "v1", "Widget" → "io.ex.v1.Widget". */
export function definitionName(group: string, version: string, kind: string): string {
  return `${group.split(".").toReversed().join(".")}.${version}.${kind}`;
}

export function referenceTo(name: string, version: OpenApiVersion): { readonly $ref: string } {
  return { $ref: `${version === "v2" ? "#/definitions/" : "#/components/schemas/"}${name}` };
}

/** Returns the definitions by name. */
export function customDefinitions(resource: PublishedResource, form: OpenApiVersion): (readonly [name: string, definition: JsonObject])[] {
  const { group, version, kind, listKind } = resource.kind;
  const definition = (name: string, schema: Schema): readonly [string, JsonObject] => [
    definitionName(group, version, name),
    printedSchema({ ...schema, ...extensionsOf(resource, name) }, form),
  ];
  return [definition(kind, objectSchema(resource.openApiSchema, form)), definition(listKind, listSchema(resource, form))];
}

function extensionsOf({ kind: { group, version }, selectableFields }: PublishedResource, kind: string): Partial<PublishedSchema> {
  const fields = [...selectableFields.keys()].map((path) => ({ fieldPath: path.replace(/^\./, "") }));
  return {
    "x-kubernetes-group-version-kind": [{ group, kind, version }],
    ...(fields.length === 0 ? {} : { "x-kubernetes-selectable-fields": fields }),
  };
}

/** Without a schema, and in v2 also with preserved unknown fields, lists no fields: kubectl would refuse all others. */
function objectSchema(schema: Schema | undefined, form: OpenApiVersion): Schema {
  if (schema === undefined || (form === "v2" && schema["x-kubernetes-preserve-unknown-fields"] === true)) return { type: "object" };
  return withMetadata(publishable(schema, form), form, objectMeta);
}

function listSchema({ kind: { group, version, kind } }: PublishedResource, form: OpenApiVersion): Schema {
  const items: Schema = { type: "array", items: referenceTo(definitionName(group, version, kind), form) as Schema };
  return withMetadata({ type: "object", required: ["items"], properties: { items } }, form, listMeta);
}

function publishable(schema: Schema, form: OpenApiVersion): Schema {
  const supported = supportedSchema(schema, form);
  const { items, properties, additionalProperties } = supported;
  const whole: Schema = {
    ...supported,
    ...(items === undefined ? {} : { items: publishable(items, form) }),
    ...(properties === undefined ? {} : { properties: mapValues(properties, (property) => publishable(property, form)) }),
    ...(typeof additionalProperties === "object" ? { additionalProperties: publishable(additionalProperties, form) } : {}),
  };
  return whole["x-kubernetes-embedded-resource"] === true ? embedded(whole, form) : whole;
}

/** Embedded resources have metadata too, unless v2 must not name any field. */
function embedded(schema: Schema, form: OpenApiVersion): Schema {
  if (form === "v2" && schema["x-kubernetes-preserve-unknown-fields"] === true) return schema;
  const required = schema.required ?? [];
  const needed = [...required, ...["kind", "apiVersion"].filter((name) => !required.includes(name))];
  return { ...withMetadata(schema, form, objectMeta), required: needed };
}

function withMetadata(schema: Schema, form: OpenApiVersion, definition: string): Schema {
  const target = referenceTo(definition, form) as Schema;
  const metadata: Schema = form === "v2" ? target : { allOf: [target] };
  return { ...schema, properties: { ...schema.properties, apiVersion: { type: "string" }, kind: { type: "string" }, metadata } };
}

function mapValues<V, W>(record: Readonly<Record<string, V>>, map: (value: V) => W): Record<string, W> {
  const mapped: Record<string, W> = {};
  for (const [key, value] of Object.entries(record)) setOwn(mapped, key, map(value));
  return mapped;
}
