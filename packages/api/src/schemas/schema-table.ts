/** The generated tables before they are linked: one per group version, references still names. */
import type { GroupVersion, Schema } from "@drover/machinery";

/** A node whose reference is not followed yet. What stands beside `$ref` adds to the definition it names. */
export interface SchemaNode extends Omit<Schema, "additionalProperties" | "anyOf" | "items" | "properties"> {
  /** "PodSpec" in the same table, "core/v1/PodSpec" in another. */
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
}

export interface SchemaTable extends GroupVersion {
  /** How other tables refer to this one: "core/v1". */
  readonly path: string;
  /** The definitions whose objects carry an apiVersion and a kind. */
  readonly kinds: readonly string[];
  readonly definitions: Readonly<Record<string, SchemaNode>>;
}
