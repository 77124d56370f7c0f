/**
 * client-go's `runtime.Scheme`: the kinds that a program knows, with encoding, defaults and conversion between versions.
 *
 *     newScheme().addKnownTypes(Deployment) → encode, decode, default, convert
 *
 * The registry is machinery's `Scheme`; objects are plain JSON, so a type is its `Kind`.
 */
import { apiVersionOf, decodeJson, encodeJson, groupVersionKindOf, NotRegisteredError, Scheme as KindRegistry } from "@drover/machinery";
import type { GroupVersion, GroupVersionKind, Kind, KubeObject } from "@drover/machinery";

/** Returns a copy of the object with its defaults; must not modify its argument. */
export type DefaultingFunc<T extends KubeObject = KubeObject> = (object: T) => T;

/** Converts an object to another version; must not modify its argument. */
export type ConversionFunc = (object: KubeObject) => KubeObject;

/** Guarantees: `decode` of an encoded object returns an equal object; an unknown kind is a `NotRegisteredError`. */
export class Scheme {
  readonly #kinds: KindRegistry = new KindRegistry();
  readonly #defaults = new Map<string, DefaultingFunc[]>();
  readonly #conversions = new Map<string, ConversionFunc>();

  /** Adds kinds. Throws if a name is taken by a different kind. */
  addKnownTypes(...kinds: readonly Kind[]): this {
    this.#kinds.add(...kinds);
    return this;
  }

  /** Adds a defaulting function of a kind; functions run in the order in which they were added. */
  addTypeDefaultingFunc<T extends KubeObject>(kind: Kind<T>, fill: DefaultingFunc<T>): this {
    const key = keyOf(kind);
    // Only objects of this kind reach it, and those are of type T.
    this.#defaults.set(key, [...(this.#defaults.get(key) ?? []), (object) => fill(object as T)]);
    return this;
  }

  /** Adds a conversion from one kind to another, usually between two versions. */
  addConversionFunc(from: GroupVersionKind, to: GroupVersionKind, convert: ConversionFunc): this {
    this.#conversions.set(`${keyOf(from)} → ${keyOf(to)}`, convert);
    return this;
  }

  /** Reports whether the kind is known. */
  recognizes(kind: GroupVersionKind): boolean {
    return this.#kinds.recognizes(kind);
  }

  /** Returns the kind of an object, by its `apiVersion` and `kind`. Throws a `NotRegisteredError`. */
  objectKinds(object: KubeObject): Kind {
    return this.#kinds.kindOf(object);
  }

  /** Returns an empty object of a known kind. Throws a `NotRegisteredError`. */
  new(kind: GroupVersionKind): KubeObject {
    if (this.#kinds.kindFor(kind) === undefined) throw new NotRegisteredError(kind);
    return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: {} };
  }

  /** Returns the object with its defaults. */
  default<T extends KubeObject>(object: T): T {
    const fills = this.#defaults.get(keyOf(this.#kinds.kindOf(object))) ?? [];
    return fills.reduce<KubeObject>((filled, fill) => fill(filled), object) as T;
  }

  /**
   * Converts the object to another version of its group. Throws a `NotRegisteredError` if that version does not have the kind,
   * and an Error if no conversion was added.
   */
  convertToVersion(object: KubeObject, target: GroupVersion): KubeObject {
    const from = groupVersionKindOf(object);
    const to = { ...target, kind: from.kind };
    if (keyOf(from) === keyOf(to)) return object;
    if (this.#kinds.kindFor(to) === undefined) throw new NotRegisteredError(to);
    const convert = this.#conversions.get(`${keyOf(from)} → ${keyOf(to)}`);
    if (convert === undefined) throw new Error(`no conversion from ${keyOf(from)} to ${keyOf(to)}; add one with addConversionFunc`);
    return { ...convert(object), apiVersion: apiVersionOf(to), kind: to.kind };
  }

  /** Encodes an object of a known kind as JSON. Throws a `NotRegisteredError`. */
  encode(object: KubeObject): string {
    this.#kinds.kindOf(object);
    return encodeJson(object);
  }

  /** Decodes an object and sets its defaults. Throws a `NotRegisteredError`, or a decoding error. */
  decode(text: string): KubeObject {
    return this.default(decodeJson(text) as unknown as KubeObject);
  }
}

/** Returns a scheme with these kinds. */
export function newScheme(...kinds: readonly Kind[]): Scheme {
  return new Scheme().addKnownTypes(...kinds);
}

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${apiVersionOf({ group, version })} ${kind}`;
