/**
 * Converts an OpenAPI v3 document to schemas: references become shared objects, `allOf` with one reference and siblings
 * becomes one node.
 *
 *     document of a group version → OpenApiSchemas → ObjectSchema per kind → validateObject
 */
import { compileSchema, isJsonObject, errorText } from "@drover/machinery";
import type { CompiledSchema, GroupVersionKind, JsonObject, JsonValue, Schema } from "@drover/machinery";
import { DiscoveryDocumentError } from "./discovery-error.ts";
import { listField, objectField, textField } from "./document-field.ts";
import { readSchema } from "./openapi-keyword.ts";
import { SchemaGraph } from "./schema-graph.ts";

/** The server's schema for objects of one kind. */
export interface ObjectSchema {
  readonly kind: GroupVersionKind;
  /**
   * How the server decodes such objects: `"built-in"` kinds into Go structs, where null and empty text mean "not set";
   * `"custom"` ones by their schema.
   */
  readonly origin: "built-in" | "custom";
  readonly schema: Schema;
  readonly compiled: CompiledSchema;
}

const builtIn: readonly string[] = ["io.k8s.api.", "io.k8s.apimachinery.", "io.k8s.apiextensions-apiserver.", "io.k8s.kube-aggregator."];
const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;

/** The schemas of one document. Each is built on first use, with what it refers to. */
export class OpenApiSchemas {
  readonly #graph: SchemaGraph;
  readonly #names = new Map<string, { readonly kind: GroupVersionKind; readonly definition: string }>();
  readonly #ready = new Map<string, ObjectSchema>();

  /** Throws a `DiscoveryDocumentError` for any other document. */
  constructor(document: JsonValue) {
    const components = objectField(objectField(document, "the OpenAPI v3 document")["components"] ?? {}, "components");
    const definitions = objectField(components["schemas"] ?? {}, "components.schemas");
    this.#graph = new SchemaGraph(definitions, readSchema);
    for (const [definition, schema] of Object.entries(definitions)) {
      for (const kind of kindsOf(schema, definition)) this.#names.set(keyOf(kind), { kind, definition });
    }
  }

  /** Returns the kinds that the document describes: of objects, lists and request bodies. */
  kinds(): readonly GroupVersionKind[] {
    return [...this.#names.values()].map(({ kind }) => kind);
  }

  /** Returns the schema of a kind; undefined if the document does not describe it. Throws a `DiscoveryDocumentError` if it is malformed. */
  schemaFor(kind: GroupVersionKind): ObjectSchema | undefined {
    const key = keyOf(kind);
    const named = this.#names.get(key);
    if (named === undefined) return undefined;
    const known = this.#ready.get(key);
    if (known !== undefined) return known;
    const schema = this.#graph.definition(named.definition);
    const origin = builtIn.some((prefix) => named.definition.startsWith(prefix)) ? "built-in" : "custom";
    const ready: ObjectSchema = { kind: named.kind, origin, schema, compiled: compile(schema, named.definition) };
    this.#ready.set(key, ready);
    return ready;
  }
}

function compile(schema: Schema, definition: string): CompiledSchema {
  try {
    return compileSchema(schema);
  } catch (error) {
    throw new DiscoveryDocumentError(`the schema ${definition} cannot be used: ${errorText(error)}`, {
      cause: error,
    });
  }
}

function kindsOf(schema: JsonValue, definition: string): readonly GroupVersionKind[] {
  if (!isJsonObject(schema)) return [];
  return listField(schema["x-kubernetes-group-version-kind"], `x-kubernetes-group-version-kind of ${definition}`).map((entry) =>
    readKind(objectField(entry, definition), definition),
  );
}

function readKind(entry: JsonObject, definition: string): GroupVersionKind {
  return {
    group: textField(entry["group"], definition),
    version: textField(entry["version"], definition),
    kind: textField(entry["kind"], definition),
  };
}
