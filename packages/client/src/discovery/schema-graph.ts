/**
 * Links the definitions of a document. Each definition is one shared object, so the result may be cyclic, as the schema of
 * schemas is.
 */
import { getOwn, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue, Schema } from "@drover/machinery";
import { DiscoveryDocumentError } from "./discovery-error.ts";
import { objectField, textField } from "./document-field.ts";
import type { ReadChild } from "./openapi-keyword.ts";
import { wellKnownSchema } from "./well-known-schema.ts";

type Mutable = Record<string, unknown>;

const prefix = "#/components/schemas/";

/** A node that extends another one, for example with a default; filled once its target is complete. */
interface Extension {
  readonly target: Mutable;
  readonly siblings: Schema;
}

/** The definitions, linked on demand. */
export class SchemaGraph {
  readonly #source: JsonObject;
  readonly #read: (node: JsonObject, place: string, child: ReadChild) => Schema;
  readonly #linked = new Map<string, Mutable>();
  /** Definitions that have an object but no content yet. A queue, because a chain of references may exceed the stack. */
  readonly #waiting: string[] = [];
  readonly #extensions = new Map<Mutable, Extension>();

  constructor(definitions: JsonObject, read: (node: JsonObject, place: string, child: ReadChild) => Schema) {
    this.#source = definitions;
    this.#read = read;
  }

  /** Returns the complete schema of a definition. Throws a `DiscoveryDocumentError` if it, or a definition it refers to, is malformed. */
  definition(name: string): Schema {
    const schema = this.#reserve(name);
    try {
      for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) this.#fillDefinition(next);
      this.#extend();
    } catch (error) {
      // Discard partly built definitions.
      this.#linked.clear();
      this.#waiting.length = 0;
      this.#extensions.clear();
      throw error;
    }
    return schema;
  }

  #reserve(name: string): Mutable {
    const known = this.#linked.get(name);
    if (known !== undefined) return known;
    if (!isJsonObject(getOwn(this.#source, name)))
      throw new DiscoveryDocumentError(`the document refers to the schema ${JSON.stringify(name)}, which it does not define`);
    const reserved: Mutable = {};
    this.#linked.set(name, reserved);
    this.#waiting.push(name);
    return reserved;
  }

  #fillDefinition(name: string): void {
    const reserved = this.#reserve(name);
    const wellKnown = wellKnownSchema(name);
    if (wellKnown !== undefined) return void Object.assign(reserved, wellKnown);
    const node = objectField(getOwn(this.#source, name), name);
    const reference = referenceOf(node, name);
    if (reference === undefined) Object.assign(reserved, this.#readNode(node, name));
    else this.#extensions.set(reserved, { target: this.#reserve(reference), siblings: this.#siblings(node, name) });
  }

  #child(node: JsonObject, place: string): Schema {
    const reference = referenceOf(node, place);
    if (reference === undefined) return this.#readNode(node, place);
    const target = this.#reserve(reference);
    const siblings = this.#siblings(node, place);
    if (Object.keys(siblings).length === 0) return target;
    const extended: Mutable = {};
    this.#extensions.set(extended, { target, siblings });
    return extended;
  }

  #readNode(node: JsonObject, place: string): Schema {
    return this.#read(node, place, (child) => this.#child(child, place));
  }

  #siblings({ $ref: _, allOf: __, ...others }: JsonObject, place: string): Schema {
    return this.#readNode(others, place);
  }

  /** A target may itself be an extension; extensions that only refer to each other stay empty and allow anything. */
  #extend(): void {
    for (const start of this.#extensions.keys()) {
      const chain: Mutable[] = [];
      for (let node: Mutable | undefined = start; node !== undefined; node = this.#extensions.get(node)?.target) {
        if (chain.length > this.#extensions.size) break;
        chain.push(node);
      }
      for (const node of chain.toReversed()) {
        const extension = this.#extensions.get(node);
        if (extension !== undefined) Object.assign(node, extension.target, extension.siblings);
        this.#extensions.delete(node);
      }
    }
  }
}

/** Returns the definition that a node refers to, directly or within an `allOf` that adds siblings. */
function referenceOf(node: JsonObject, place: string): string | undefined {
  const reference = textField(node["$ref"] ?? soleReference(node["allOf"]), `$ref of ${place}`);
  if (reference === "") return undefined;
  if (!reference.startsWith(prefix))
    throw new DiscoveryDocumentError(`${place}: the reference ${JSON.stringify(reference)} does not begin with ${prefix}`);
  // In a JSON Pointer "~1" is a slash and "~0" a tilde.
  return reference.slice(prefix.length).replaceAll("~1", "/").replaceAll("~0", "~");
}

function soleReference(allOf: JsonValue | undefined): JsonValue | undefined {
  const only = Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : undefined;
  return isJsonObject(only) && Object.keys(only).length === 1 ? only["$ref"] : undefined;
}
