/**
 * client-go's `runtime.Scheme`: the kinds a program knows, how they are written and read, their defaults, and how one
 * version becomes another.
 *
 *     newScheme().addKnownTypes(Deployment) → encode, decode, default, convert
 *
 * The registry is machinery's `Scheme`; objects are plain JSON, so a type is its `Kind`.
 */
import { apiVersionOf, decodeJson, encodeJson, groupVersionKindOf, NotRegisteredError, Scheme as KindRegistry } from "@drover/machinery";
import type { GroupVersion, GroupVersionKind, Kind, KubeObject } from "@drover/machinery";

/** Returns the object with its defaults filled in; must not change the one it is given. */
export type DefaultingFunc<T extends KubeObject = KubeObject> = (object: T) => T;

/** Returns an object of one version as the same object of another; must not change the one it is given. */
export type ConversionFunc = (object: KubeObject) => KubeObject;

/** Guarantees: reading what was written gives an equal object; an unknown kind is a `NotRegisteredError`. */
export class Scheme {
  readonly #kinds: KindRegistry = new KindRegistry();
  readonly #defaults = new Map<string, DefaultingFunc[]>();
  readonly #conversions = new Map<string, ConversionFunc>();

  /** Adds kinds. Throws when a name is taken by a different kind. */
  addKnownTypes(...kinds: readonly Kind[]): this {
    this.#kinds.add(...kinds);
    return this;
  }

  /** Adds a function that fills in defaults of a kind; they run in the order in which they were added. */
  addTypeDefaultingFunc<T extends KubeObject>(kind: Kind<T>, fill: DefaultingFunc<T>): this {
    const key = keyOf(kind);
    // The kind says which type its objects have.
    this.#defaults.set(key, [...(this.#defaults.get(key) ?? []), fill as unknown as DefaultingFunc]);
    return this;
  }

  /** Adds a conversion from one kind to another, usually of two versions. */
  addConversionFunc(from: GroupVersionKind, to: GroupVersionKind, convert: ConversionFunc): this {
    this.#conversions.set(`${keyOf(from)} → ${keyOf(to)}`, convert);
    return this;
  }

  /** Whether the kind is known. */
  recognizes(kind: GroupVersionKind): boolean {
    return this.#kinds.recognizes(kind);
  }

  /** The kind of an object, by its own `apiVersion` and `kind`. Throws a `NotRegisteredError`. */
  objectKinds(object: KubeObject): Kind {
    return this.#kinds.kindOf(object);
  }

  /** An empty object of a known kind. Throws a `NotRegisteredError`. */
  new(kind: GroupVersionKind): KubeObject {
    if (this.#kinds.kindFor(kind) === undefined) throw new NotRegisteredError(kind);
    return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: {} };
  }

  /** The object with its defaults. */
  default<T extends KubeObject>(object: T): T {
    const fills = this.#defaults.get(keyOf(this.#kinds.kindOf(object))) ?? [];
    return fills.reduce<KubeObject>((filled, fill) => fill(filled), object) as T;
  }

  /**
   * The object in another version of its group. Throws a `NotRegisteredError` for a kind that is not known there, and
   * an Error when no conversion was added.
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

  /** Writes a known object as JSON. Throws a `NotRegisteredError`. */
  encode(object: KubeObject): string {
    this.#kinds.kindOf(object);
    return encodeJson(object);
  }

  /** Reads an object, and fills in its defaults. Throws a `NotRegisteredError`, and what reading JSON throws. */
  decode(text: string): KubeObject {
    return this.default(decodeJson(text) as unknown as KubeObject);
  }
}

/** Returns a scheme with these kinds. */
export function newScheme(...kinds: readonly Kind[]): Scheme {
  return new Scheme().addKnownTypes(...kinds);
}

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${apiVersionOf({ group, version })} ${kind}`;
