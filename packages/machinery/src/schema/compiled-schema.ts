/**
 * A schema prepared for walking values: patterns compiled, keywords grouped by what they check, references kept as shared nodes.
 *
 *     Schema → compileSchema → validate, prune, applyDefaults, coerceObjectMeta …
 *
 * Compile once and keep the result with the kind; nothing here caches schemas.
 */
import type { JsonValue } from "../json/json-value.ts";
import { effectiveFormat, formatCheck } from "./formats.ts";
import { compilePattern, type Pattern } from "./pattern.ts";
import type { Schema } from "./schema.ts";

/** One node of a compiled schema; the graph has a node per `Schema` object, so it is cyclic where the schema is. */
export interface CompiledSchema {
  readonly schema: Schema;
  /** Allowed JSON types; none means any. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** Empty if absent, or if the server does not check it. */
  readonly format: string;
  readonly isFormat: ((text: string) => boolean) | undefined;
  readonly pattern: Pattern | undefined;
  readonly enum: readonly JsonValue[] | undefined;

  readonly properties: ReadonlyMap<string, CompiledSchema>;
  /** Schema of fields without their own; `"any"` and `"none"` stand for `true` and `false`. */
  readonly additional: CompiledSchema | "any" | "none" | undefined;
  readonly required: readonly string[];
  /** Properties with a default, in schema order. */
  readonly defaults: readonly (readonly [name: string, property: CompiledSchema])[];
  readonly default: JsonValue | undefined;
  readonly items: CompiledSchema | undefined;

  readonly allOf: readonly CompiledSchema[];
  readonly anyOf: readonly CompiledSchema[];
  readonly oneOf: readonly CompiledSchema[];
  readonly not: CompiledSchema | undefined;
  readonly hasJunctors: boolean;
  readonly hasNumberRules: boolean;

  readonly preserveUnknown: boolean;
  readonly embedded: boolean;
  readonly listType: string | undefined;
  readonly listKeys: readonly string[];
  /** Whether an embedded resource, or a list of type set or map, can occur below, so that walks looking for these can stop. */
  readonly holdsEmbedded: boolean;
  readonly holdsKeyedLists: boolean;
}

/** Options of `compileSchema`. */
export interface CompileOptions {
  /**
   * `"value"` checks values of custom resources: int-or-string is its own type, and formats unknown to the server are ignored.
   * `"default"` checks the defaults in a schema, where the server does neither.
   * @default "value"
   */
  readonly purpose?: "value" | "default";
}

/** Prepares a schema for walking. Recursive schemas are fine. */
export function compileSchema(schema: Schema, { purpose = "value" }: CompileOptions = {}): CompiledSchema {
  return new Compiler(purpose).compile(schema);
}

type Draft = { -readonly [K in keyof CompiledSchema]: CompiledSchema[K] };

class Compiler {
  readonly #purpose: "value" | "default";
  readonly #nodes = new Map<Schema, Draft>();
  readonly #unfinished = new Set<Draft>();

  constructor(purpose: "value" | "default") {
    this.#purpose = purpose;
  }

  compile(schema: Schema): CompiledSchema {
    const known = this.#nodes.get(schema);
    if (known !== undefined) {
      // Reached again on the way down: its contents are not known yet, so assume everything.
      if (this.#unfinished.has(known)) known.holdsEmbedded = known.holdsKeyedLists = true;
      return known;
    }
    const node = this.#plain(schema);
    this.#nodes.set(schema, node);
    this.#unfinished.add(node);
    this.#addChildren(node, schema);
    this.#unfinished.delete(node);
    return node;
  }

  #plain(schema: Schema): Draft {
    const intOrString = this.#purpose === "value" && schema["x-kubernetes-int-or-string"] === true;
    const types = intOrString ? ["integer", "string"] : schema.type ? [schema.type] : [];
    const format = this.#purpose === "value" ? effectiveFormat(schema.format ?? "", types) : (schema.format ?? "");
    return {
      schema,
      types,
      format,
      nullable: schema.nullable === true,
      isFormat: formatCheck(format),
      pattern: schema.pattern ? compilePattern(schema.pattern) : undefined,
      enum: schema.enum !== undefined && schema.enum.length > 0 ? schema.enum : undefined,
      properties: new Map(),
      additional: undefined,
      required: schema.required ?? [],
      defaults: [],
      default: schema.default ?? undefined,
      items: undefined,
      allOf: [],
      anyOf: [],
      oneOf: [],
      not: undefined,
      hasJunctors: false,
      hasNumberRules: schema.minimum !== undefined || schema.maximum !== undefined || schema.multipleOf !== undefined || types.length === 1,
      preserveUnknown: schema["x-kubernetes-preserve-unknown-fields"] === true,
      embedded: schema["x-kubernetes-embedded-resource"] === true,
      listType: schema["x-kubernetes-list-type"],
      listKeys: schema["x-kubernetes-list-map-keys"] ?? [],
      holdsEmbedded: schema["x-kubernetes-embedded-resource"] === true,
      holdsKeyedLists: schema["x-kubernetes-list-type"] === "set" || schema["x-kubernetes-list-type"] === "map",
    };
  }

  #addChildren(node: Draft, schema: Schema): void {
    const entries = Object.entries(schema.properties ?? {}).map(([name, child]) => [name, this.#child(node, child)] as const);
    node.properties = new Map(entries);
    node.defaults = entries.filter(([, child]) => child.default !== undefined);
    const { additionalProperties } = schema;
    if (typeof additionalProperties === "object") node.additional = this.#child(node, additionalProperties);
    else if (additionalProperties !== undefined) node.additional = additionalProperties ? "any" : "none";
    if (schema.items !== undefined) node.items = this.#child(node, schema.items);
    const all = (list: readonly Schema[] | undefined): readonly CompiledSchema[] => (list ?? []).map((child) => this.compile(child));
    node.allOf = all(schema.allOf);
    node.anyOf = all(schema.anyOf);
    node.oneOf = all(schema.oneOf);
    if (schema.not !== undefined) node.not = this.compile(schema.not);
    node.hasJunctors = node.allOf.length + node.anyOf.length + node.oneOf.length > 0 || node.not !== undefined;
  }

  /** A child that values pass through; children of junctors only validate and hold neither resources nor keyed lists. */
  #child(parent: Draft, schema: Schema): CompiledSchema {
    const child = this.compile(schema);
    parent.holdsEmbedded ||= child.holdsEmbedded;
    parent.holdsKeyedLists ||= child.holdsKeyedLists;
    return child;
  }
}
