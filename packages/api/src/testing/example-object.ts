/**
 * Random objects of any built-in kind from its schema, for property tests.
 *
 *     kind → schema → object
 */
import { pick } from "@drover/machinery";
import type { JsonObject, JsonValue, Kind, KubeObject, Random, Schema } from "@drover/machinery";
import { schemaFor } from "../schemas.ts";
import { exampleKey, exampleScalar } from "./example-values.ts";

export interface ExampleOptions {
  /**
   * Probability of an optional field, from 0 to 1; at 1 every field is set, and no list or map is empty.
   * @default random for each example
   */
  readonly density?: number;
}

/**
 * Returns an object that follows its schema: types, enums, required fields, unique keys of list entries. Beyond name and namespace
 * its values need not make sense. The same random source gives the same object. Throws for a kind that is not built in.
 */
export function exampleOf<T extends KubeObject>(kind: Kind<T>, random: Random, { density = random.next() }: ExampleOptions = {}): T {
  const schema = schemaFor(kind);
  if (schema === undefined) throw new Error(`no schema for ${kind.kind} of ${kind.group}/${kind.version}`);
  const example = new ExampleWriter(random, density).object(schema);
  const metadata = {
    ...(example.metadata as JsonObject | undefined),
    name: `example-${random.int(1000)}`,
    ...(kind.scope === "Namespaced" ? { namespace: `space-${random.int(10)}` } : {}),
  };
  if (kind.scope === "Cluster") delete (metadata as { namespace?: string }).namespace;
  const identity = { apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`, kind: kind.kind, metadata };
  return { ...example, ...identity } as unknown as T;
}

class ExampleWriter {
  readonly #random: Random;
  readonly #density: number;
  /** Fields of the enclosing objects; a recursive schema ends after two rounds. */
  readonly #around: Schema["properties"][] = [];

  constructor(random: Random, density: number) {
    this.#random = random;
    this.#density = density;
  }

  /** `keys` are fields to set, required or not. */
  object({ properties = {}, required = [] }: Schema, keys: readonly string[] = []): JsonObject {
    const entries: [string, JsonValue][] = [];
    const isDeep = this.#around.filter((outer) => outer === properties).length > 1;
    this.#around.push(properties);
    for (const [name, child] of Object.entries(properties)) {
      if (required.includes(name) || keys.includes(name) || (!isDeep && this.#happens())) entries.push([name, this.#value(child)]);
    }
    this.#around.pop();
    return Object.fromEntries(entries);
  }

  #value(schema: Schema): JsonValue {
    if (schema.properties !== undefined) return this.object(schema);
    if (schema.items !== undefined) return this.#list(schema, schema.items);
    if (typeof schema.additionalProperties === "object") return this.#map(schema.additionalProperties);
    if (schema.anyOf !== undefined) return this.#value(pick(this.#random, schema.anyOf));
    return exampleScalar(schema, this.#random);
  }

  #list(schema: Schema, items: Schema): JsonValue {
    const mapKeys = schema["x-kubernetes-list-map-keys"] ?? [];
    const mergeKey = schema["x-kubernetes-patch-merge-key"];
    const keys = mergeKey === undefined ? mapKeys : [...mapKeys, mergeKey];
    const list = Array.from({ length: this.#length() }, () =>
      items.properties === undefined ? this.#value(items) : this.object(items, keys),
    );
    const listType = schema["x-kubernetes-list-type"];
    return listType === "map" || listType === "set" ? [...new Map(list.map((item) => [identityOf(item, mapKeys), item])).values()] : list;
  }

  #map(values: Schema): JsonValue {
    return Object.fromEntries(Array.from({ length: this.#length() }, () => [exampleKey(this.#random), this.#value(values)]));
  }

  #happens(): boolean {
    return this.#random.next() < this.#density;
  }

  #length(): number {
    return this.#density === 1 ? 1 : this.#random.int(3);
  }
}

/** Identity of a list entry: its map keys, or the whole entry. */
function identityOf(item: JsonValue, mapKeys: readonly string[]): string {
  const parts = mapKeys.length === 0 ? [item] : mapKeys.map((key) => (item as JsonObject)[key] ?? null);
  return JSON.stringify(parts, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
}
