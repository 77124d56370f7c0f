/**
 * Policies with their bindings, compiled, current at every request.
 *
 *     StoredIndex of policies, StoredIndex of bindings → PolicySource.current → PolicyHook[]
 */
import { encodeJson, isJsonObject } from "@drover/machinery";
import type { DeepReadonly, JsonObject } from "@drover/machinery";
import type { ObjectStore } from "../../registry/object-store.ts";
import type { Resource } from "../../registry/resource.ts";
import { StoredIndex } from "../../registry/stored-index.ts";

/** A policy that has at least one binding. */
export interface PolicyHook<P, B> {
  readonly policy: P;
  /** Sorted by name. */
  readonly bindings: readonly B[];
}

export interface PolicySourceOptions<P, B> {
  readonly policies: Resource;
  readonly bindings: Resource;
  readonly compilePolicy: (policy: DeepReadonly<JsonObject>) => P;
  readonly compileBinding: (binding: DeepReadonly<JsonObject>) => B;
}

type Objects = readonly DeepReadonly<JsonObject>[];
type Indexed = readonly [policies: Objects, bindings: Objects];

/**
 * Guarantees: hooks are sorted by the name of the policy. A policy or binding is compiled once per change of its spec, when a request
 * first needs it.
 */
export class PolicySource<P, B> {
  readonly #policies: StoredIndex<Objects>;
  readonly #bindings: StoredIndex<Objects>;
  readonly #compilePolicy: Compiler<P>;
  readonly #compileBinding: Compiler<B>;
  #made: { readonly from: Indexed; readonly hooks: readonly PolicyHook<P, B>[] } | undefined;

  constructor(objects: ObjectStore, { policies, bindings, compilePolicy, compileBinding }: PolicySourceOptions<P, B>) {
    this.#policies = new StoredIndex<Objects>(objects, policies, (all) => all);
    this.#bindings = new StoredIndex<Objects>(objects, bindings, (all) => all);
    this.#compilePolicy = new Compiler(compilePolicy);
    this.#compileBinding = new Compiler(compileBinding);
  }

  /** Returns the hooks; a promise only if the objects must be listed first. */
  current(): readonly PolicyHook<P, B>[] | Promise<readonly PolicyHook<P, B>[]> {
    const [policies, bindings] = [this.#policies.current(), this.#bindings.current()];
    if (policies instanceof Promise || bindings instanceof Promise) return this.#loaded(policies, bindings);
    return this.#hooks([policies, bindings]);
  }

  async #loaded(policies: Objects | Promise<Objects>, bindings: Objects | Promise<Objects>): Promise<readonly PolicyHook<P, B>[]> {
    return this.#hooks(await Promise.all([policies, bindings]));
  }

  #hooks(from: Indexed): readonly PolicyHook<P, B>[] {
    const made = this.#made;
    if (made !== undefined && made.from[0] === from[0] && made.from[1] === from[1]) return made.hooks;
    const [policies, bindings] = from;
    const byPolicy = new Map<string, DeepReadonly<JsonObject>[]>();
    for (const binding of bindings) {
      const name = policyNameOf(binding);
      const known = byPolicy.get(name);
      if (known === undefined) byPolicy.set(name, [binding]);
      else known.push(binding);
    }
    const bound = policies.filter((policy) => byPolicy.has(nameOf(policy)));
    const compiledBindings = this.#compileBinding.compileAll(bindings);
    const compiled = this.#compilePolicy.compileAll(bound);
    const hooks = bound.map((policy) => ({
      policy: compiled.get(policy) as P,
      bindings: (byPolicy.get(nameOf(policy)) ?? []).map((binding) => compiledBindings.get(binding) as B),
    }));
    this.#made = { from, hooks };
    return hooks;
  }
}

/** Compiles objects again only when their spec changes: the status of a policy is written after it. */
class Compiler<C> {
  readonly #compile: (object: DeepReadonly<JsonObject>) => C;
  #compiled: ReadonlyMap<string, C> = new Map();

  constructor(compile: (object: DeepReadonly<JsonObject>) => C) {
    this.#compile = compile;
  }

  /** Forgets what is not among the objects. */
  compileAll(objects: Objects): ReadonlyMap<DeepReadonly<JsonObject>, C> {
    const kept = new Map<string, C>();
    const result = new Map<DeepReadonly<JsonObject>, C>();
    for (const object of objects) {
      const key = versionOf(object);
      const compiled = this.#compiled.get(key) ?? this.#compile(object);
      kept.set(key, compiled);
      result.set(object, compiled);
    }
    this.#compiled = kept;
    return result;
  }
}

/** Not the generation: a restored snapshot may have another spec with the same generation. */
const versionOf = (object: DeepReadonly<JsonObject>): string => `${nameOf(object)} ${encodeJson(object["spec"] ?? null)}`;

function metadataOf({ metadata }: DeepReadonly<JsonObject>): DeepReadonly<JsonObject> {
  return isJsonObject(metadata as JsonObject) ? (metadata as JsonObject) : {};
}

const nameOf = (object: DeepReadonly<JsonObject>): string => textOf(metadataOf(object)["name"]);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function policyNameOf({ spec }: DeepReadonly<JsonObject>): string {
  return isJsonObject(spec as JsonObject) ? textOf((spec as JsonObject)["policyName"]) : "";
}
