/**
 * Converts a document as written to JSON: resolves scalars, follows aliases, merges mappings, turns keys into text.
 *
 *     Node → documentToJson → JsonValue
 */
import { quoteGo, setOwn } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { AliasNode, MappingNode, Node, ScalarNode } from "./node.ts";
import { keyText, scalarValue } from "./scalar.ts";
import { YamlError } from "./yaml-error.ts";

/** A key that occurs twice in its mapping. */
export interface DuplicateKey {
  /** As Go prints it: text in quotes. */
  readonly key: string;
  /** Line of its value, from 1. */
  readonly line: number;
}

/**
 * Returns the value of a document. Throws when JSON cannot hold it, for alias bombs, and for a duplicate key; with
 * `onDuplicateKey`, calls that instead and the last value wins.
 */
export function documentToJson(root: Node, depthMax: number, onDuplicateKey?: (duplicate: DuplicateKey) => void): JsonValue {
  return new Conversion(depthMax, onDuplicateKey).value(root);
}

class Conversion {
  readonly #depthMax: number;
  readonly #onDuplicateKey: ((duplicate: DuplicateKey) => void) | undefined;
  readonly #open = new Set<AliasNode>();
  #depth = 0;
  #nodes = 0;
  #aliasedNodes = 0;

  constructor(depthMax: number, onDuplicateKey: ((duplicate: DuplicateKey) => void) | undefined) {
    this.#depthMax = depthMax;
    this.#onDuplicateKey = onDuplicateKey;
  }

  value(node: Node): JsonValue {
    this.#count(node);
    switch (node.kind) {
      case "scalar":
        return jsonScalar(node);
      case "sequence":
        return this.#deeper(node, () => node.items.map((item) => this.value(item)));
      case "mapping":
        return this.#deeper(node, () => this.#fill({}, node));
      case "alias":
      default:
        return this.#follow(node, (target) => this.value(target));
    }
  }

  /** Puts the entries of a mapping into an object. Later entries win, merged or not; only a key written twice is an error. */
  #fill(object: JsonObject, mapping: MappingNode): JsonObject {
    const seen = new Map<string, number>();
    for (const [keyNode, valueNode] of mapping.entries) {
      if (isMerge(keyNode)) {
        this.#merge(object, valueNode);
        continue;
      }
      const key = this.#key(keyNode);
      const first = seen.get(key);
      if (first !== undefined) {
        if (this.#onDuplicateKey === undefined)
          throw new YamlError(`key ${JSON.stringify(key)} already set in map, on line ${first + 1}`, keyNode);
        this.#onDuplicateKey({ key: printKey(keyNode, key), line: valueNode.line + 1 });
      }
      seen.set(key, keyNode.line);
      setOwn(object, key, this.value(valueNode));
    }
    return object;
  }

  /** `<<: *a` or `<<: [*a, *b]`, where the earlier of two takes precedence. */
  #merge(object: JsonObject, from: Node): void {
    const sources = from.kind === "sequence" ? from.items.toReversed() : [from];
    for (const source of sources) {
      const target = source.kind === "alias" ? source.target : source;
      if (target.kind !== "mapping") throw new YamlError("map merge requires map or sequence of maps as the value", source);
      this.#count(source);
      if (source.kind === "alias") this.#follow(source, () => this.#mergeMapping(object, target));
      else this.#deeper(source, () => this.#fill(object, target));
    }
  }

  #mergeMapping(object: JsonObject, mapping: MappingNode): JsonObject {
    this.#count(mapping);
    return this.#deeper(mapping, () => this.#fill(object, mapping));
  }

  #key(node: Node): string {
    this.#count(node);
    if (node.kind === "alias") return this.#follow(node, (target) => this.#key(target));
    if (node.kind !== "scalar") throw new YamlError(`a ${node.kind} cannot be a key`, node);
    return keyText(node);
  }

  #follow<T>(alias: AliasNode, convert: (target: Node) => T): T {
    if (this.#open.has(alias)) throw new YamlError(`anchor '${alias.name}' value contains itself`, alias);
    this.#open.add(alias);
    const result = convert(alias.target);
    this.#open.delete(alias);
    return result;
  }

  #deeper<T>(node: Node, convert: () => T): T {
    if (++this.#depth > this.#depthMax) throw new YamlError(`nested more than ${this.#depthMax} levels deep`, node);
    const result = convert();
    this.#depth--;
    return result;
  }

  /** A few lines of nested aliases can expand to billions of values, so the expansion is limited. */
  #count(node: Node): void {
    this.#nodes++;
    if (this.#open.size > 0) this.#aliasedNodes++;
    if (this.#aliasedNodes > 100 && this.#nodes > 1000 && this.#aliasedNodes / this.#nodes > allowedAliasRatio(this.#nodes)) {
      throw new YamlError("document contains excessive aliasing", node);
    }
  }
}

/** Up to 400,000 values, 99 % may come from aliases; up to 4,000,000 the share falls to 10 %. */
function allowedAliasRatio(nodes: number): number {
  const [low, high] = [400_000, 4_000_000];
  if (nodes <= low) return 0.99;
  return nodes >= high ? 0.1 : 0.99 - 0.89 * ((nodes - low) / (high - low));
}

function isMerge(node: Node): boolean {
  return node.kind === "scalar" && node.text === "<<" && (node.plain || node.tag === "tag:yaml.org,2002:merge");
}

function printKey(node: Node, key: string): string {
  return node.kind === "scalar" && typeof scalarValue(node).value !== "string" ? key : quoteGo(key);
}

function jsonScalar(node: ScalarNode): JsonValue {
  const { value } = scalarValue(node);
  if (typeof value === "number" && !Number.isFinite(value))
    throw new YamlError(`JSON has no number ${node.text}; put it in quotes if you mean text`, node);
  return value;
}
