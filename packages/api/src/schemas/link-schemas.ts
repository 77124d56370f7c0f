/**
 * Follows every reference between the tables once, so that nobody else has to. References become shared objects; the result may be
 * cyclic (JSONSchemaProps contains itself) and is frozen throughout.
 *
 *     SchemaTable[] → "core/v1/Pod" → Schema
 *
 * Runs when a server starts, so it is written for a cold start: plain loops, and nodes without references are used as they are.
 */
import type { Schema } from "@drover/machinery";
import type { SchemaNode, SchemaTable } from "./schema-table.ts";

/** All definitions by path and name. Throws when a reference leads nowhere. */
export function linkSchemas(tables: readonly SchemaTable[]): Readonly<Record<string, Schema>> {
  const linked: Record<string, Schema> = {};
  for (const { path, definitions } of tables) for (const name of Object.keys(definitions)) linked[`${path}/${name}`] = {};

  const extended = new ExtendedDefinitions();
  for (const { path, definitions } of tables) {
    const follow = (node: SchemaNode): Schema => {
      const { $ref } = node;
      if ($ref === undefined) return isLeaf(node) ? node : linkChildren({ ...node }, follow);
      const name = $ref.includes("/") ? $ref : `${path}/${$ref}`;
      const target = linked[name];
      if (target === undefined) throw new Error(`${path}: the reference ${JSON.stringify($ref)} leads nowhere`);
      return Object.keys(node).length === 1 ? target : extended.of(name, target, node);
    };
    for (const [name, node] of Object.entries(definitions)) linkChildren(Object.assign(linked[`${path}/${name}`] ?? {}, node), follow);
  }
  extended.fill();
  for (const schema of Object.values(linked)) freezeDeep(schema);
  return Object.freeze(linked);
}

const isLeaf = (node: SchemaNode): boolean =>
  node.properties === undefined && node.items === undefined && typeof node.additionalProperties !== "object" && node.anyOf === undefined;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Replaces the children of a copy of a node, and gives the copy back as what it has become. */
function linkChildren(copy: Mutable<SchemaNode>, follow: (node: SchemaNode) => Schema): Schema {
  const { properties, items, additionalProperties, anyOf } = copy;
  if (properties !== undefined) {
    // The spread makes every key an own one, so that assigning to "__proto__" is an ordinary write.
    const followed = { ...properties };
    for (const [name, child] of Object.entries(properties)) followed[name] = follow(child);
    copy.properties = followed;
  }
  if (items !== undefined) copy.items = follow(items);
  if (typeof additionalProperties === "object") copy.additionalProperties = follow(additionalProperties);
  if (anyOf !== undefined) copy.anyOf = anyOf.map(follow);
  return copy;
}

/** Definitions to which a reference adds, say, a default: one shared copy for each, filled when all definitions are there. */
class ExtendedDefinitions {
  readonly #copies = new Map<string, { readonly copy: Schema; readonly target: Schema; readonly siblings: object }>();

  of(name: string, target: Schema, node: SchemaNode): Schema {
    const { $ref: _, ...siblings } = node;
    const key = `${name} ${JSON.stringify(siblings)}`;
    const known = this.#copies.get(key) ?? { copy: {}, target, siblings };
    this.#copies.set(key, known);
    return known.copy;
  }

  fill(): void {
    for (const { copy, target, siblings } of this.#copies.values()) Object.assign(copy, target, siblings);
  }
}

function freezeDeep(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const child of Object.values(value)) freezeDeep(child);
}
