/**
 * Follows the references between the definitions of a document. A definition is one object wherever it is used, so the result may
 * contain itself, as the schema of schemas does.
 */
import { getOwn, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue, Schema } from "@drover/machinery";
import { DiscoveryDocumentError } from "./discovery-error.ts";
import { objectField, textField } from "./document-field.ts";
import type { ReadChild } from "./openapi-keyword.ts";
import { wellKnownSchema } from "./well-known-schema.ts";

type Mutable = Record<string, unknown>;

const prefix = "#/components/schemas/";

/** A node that is another one with something added, a default for instance; filled when all it needs is there. */
interface Extension {
  readonly target: Mutable;
  readonly siblings: Schema;
}

/** The definitions, linked as far as somebody asked for them. */
export class SchemaGraph {
  readonly #source: JsonObject;
  readonly #read: (node: JsonObject, place: string, child: ReadChild) => Schema;
  readonly #linked = new Map<string, Mutable>();
  /**
   * Definitions that have their object but not yet their content. A queue, because a chain of references may be longer
   * than a stack is deep.
   */
  readonly #waiting: string[] = [];
  readonly #extensions = new Map<Mutable, Extension>();

  constructor(definitions: JsonObject, read: (node: JsonObject, place: string, child: ReadChild) => Schema) {
    this.#source = definitions;
    this.#read = read;
  }

  /** The schema of a definition, complete. Throws a `DiscoveryDocumentError` when it, or what it refers to, cannot be read. */
  definition(name: string): Schema {
    const schema = this.#reserve(name);
    try {
      for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) this.#fillDefinition(next);
      this.#extend();
    } catch (error) {
      // Nothing half made may be found by the next one who asks.
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

  /** A target may be an extension itself; those that only refer to each other stay empty, and so allow anything. */
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

/** The definition a node refers to, be it bare or wrapped in `allOf` to give it siblings. */
function referenceOf(node: JsonObject, place: string): string | undefined {
  const reference = textField(node["$ref"] ?? soleReference(node["allOf"]), `$ref of ${place}`);
  if (reference === "") return undefined;
  if (!reference.startsWith(prefix))
    throw new DiscoveryDocumentError(`${place}: the reference ${JSON.stringify(reference)} does not begin with ${prefix}`);
  // JSON Pointer writes "~1" for a slash and "~0" for a tilde.
  return reference.slice(prefix.length).replaceAll("~1", "/").replaceAll("~0", "~");
}

function soleReference(allOf: JsonValue | undefined): JsonValue | undefined {
  const only = Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : undefined;
  return isJsonObject(only) && Object.keys(only).length === 1 ? only["$ref"] : undefined;
}
