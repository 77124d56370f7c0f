/**
 * The compiled rules of a schema as a tree; subschemas without rules are left out.
 *
 *     Schema → ruleTree → RuleNode
 */
import type { Schema } from "@drover/machinery";
import { escapeProperty } from "../schema/property-name.ts";
import { schemaType, withObjectFields } from "../schema/schema-type.ts";
import type { SchemaType } from "../schema/schema-type.ts";
import { compileRules } from "./compiled-rule.ts";
import type { CompiledRule } from "./compiled-rule.ts";

export interface RuleNode {
  readonly schema: Schema;
  /** The schema for reading data; at the root of an object it has the fields of every object. */
  readonly valueSchema: Schema;
  readonly rules: readonly CompiledRule[];
  readonly usesOldSelf: boolean;
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly additional: RuleNode | undefined;
  readonly items: RuleNode | undefined;
}

/** Returns the tree of a schema; undefined without rules. */
export function ruleTree(schema: Schema): RuleNode | undefined {
  const type = schemaType(schema, true);
  return type === undefined ? undefined : nodeOf(schema, type, true);
}

function nodeOf(schema: Schema, type: SchemaType, isRoot: boolean): RuleNode | undefined {
  const rules = compileRules(schema, type);
  const properties = propertyNodes(schema, type);
  const { additionalProperties, items } = schema;
  const additional =
    typeof additionalProperties === "object" && type.element !== undefined
      ? nodeOf(additionalProperties, type.element, isEmbedded(additionalProperties))
      : undefined;
  const item = items !== undefined && type.element !== undefined ? nodeOf(items, type.element, isEmbedded(items)) : undefined;
  if (rules.length === 0 && properties.size === 0 && additional === undefined && item === undefined) return undefined;
  const usesOldSelf = rules.some(({ check }) => check !== undefined && "usesOldSelf" in check && check.usesOldSelf);
  return { schema, valueSchema: isRoot ? withObjectFields(schema) : schema, rules, usesOldSelf, properties, additional, items: item };
}

const isEmbedded = (schema: Schema): boolean => schema["x-kubernetes-embedded-resource"] === true;

function propertyNodes(schema: Schema, type: SchemaType): ReadonlyMap<string, RuleNode> {
  const nodes = new Map<string, RuleNode>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const escaped = escapeProperty(name);
    // A field that no expression can name may still have rules of its own.
    const fieldType = escaped === undefined ? schemaType(property, isEmbedded(property)) : type.fields?.get(escaped);
    const node = fieldType === undefined ? undefined : nodeOf(property, fieldType, isEmbedded(property));
    if (node !== undefined) nodes.set(name, node);
  }
  return nodes;
}
