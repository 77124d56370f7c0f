/**
 * Merges the definitions of all OpenAPI documents; each document repeats what it uses of the others. Prose and paths
 * are left out.
 *
 *     documents → full name → OpenApiSchema
 */
import { byText, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { expectList, expectObject } from "./expect-json.ts";
import type { OpenApiSchema } from "./openapi.ts";
import { isSharedDefinition, referencesOf } from "./references.ts";

/** All definitions by name, in order; shared ones only when a group needs them. Throws when two documents contradict each other. */
export function mergeDefinitions(documents: readonly JsonValue[]): Readonly<Record<string, OpenApiSchema>> {
  const merged = new Map<string, OpenApiSchema>();
  for (const document of documents) {
    const components = expectObject(expectObject(document, "OpenAPI document").components ?? {}, "components");
    for (const [name, raw] of Object.entries(expectObject(components.schemas ?? {}, "schemas"))) {
      const schema: OpenApiSchema = trimSchema(expectObject(raw, name), name);
      const known = merged.get(name);
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`${name} differs between two documents`);
      merged.set(name, schema);
    }
  }
  return keepReachable(merged);
}

function keepReachable(all: ReadonlyMap<string, OpenApiSchema>): Readonly<Record<string, OpenApiSchema>> {
  const kept = new Map<string, OpenApiSchema>();
  const queue = [...all.keys()].filter((name) => !isSharedDefinition(name));
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const schema = all.get(name);
    if (schema === undefined) throw new Error(`a schema refers to ${JSON.stringify(name)}, which no document defines`);
    if (kept.has(name)) continue;
    kept.set(name, schema);
    queue.push(...referencesOf(schema));
  }
  return Object.fromEntries([...kept].toSorted(([a], [b]) => byText(a, b)));
}

const prose: ReadonlySet<string> = new Set(["description", "title", "example", "externalDocs", "x-kubernetes-unions"]);

function trimSchema(schema: JsonObject, definition: string): JsonObject {
  return inOrder(
    Object.entries(schema)
      .filter(([key]) => !prose.has(key))
      .map(([key, value]) => [key, trimPart(key, value, definition)]),
  );
}

function trimPart(key: string, value: JsonValue, definition: string): JsonValue {
  const trimmed = (child: JsonValue): JsonValue => (isJsonObject(child) ? trimSchema(child, definition) : child);
  switch (key) {
    case "properties":
      return inOrder(Object.entries(expectObject(value, definition)).map(([name, child]) => [name, trimmed(child)]));
    case "items":
    case "additionalProperties":
    case "not":
      return trimmed(value);
    case "allOf":
    case "anyOf":
    case "oneOf":
      return expectList(value, definition).map(trimmed);
    case "x-kubernetes-group-version-kind":
      // Definitions that belong to no group name a different list of groups in every document; "v1" is in all of them.
      return expectList(value, definition).filter((entry) => !isSharedDefinition(definition) || isCoreV1(entry));
    default:
      return value;
  }
}

const inOrder = (entries: readonly (readonly [string, JsonValue])[]): JsonObject =>
  Object.fromEntries(entries.toSorted(([a], [b]) => byText(a, b)));

const isCoreV1 = (entry: JsonValue): boolean => isJsonObject(entry) && entry["group"] === "" && entry["version"] === "v1";
