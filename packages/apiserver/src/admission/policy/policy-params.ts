/**
 * Finds the parameter objects of a binding.
 *
 *     paramKind of the policy, paramRef of the binding, namespace of the request → ParamFinder.find → objects, or one without
 */
import type { ParamKind, ParamRef } from "@drover/api/admissionregistration/v1";
import { budget, parseGroupVersion, printGroupVersionKind, selectorFromLabelSelector } from "@drover/machinery";
import type { DeepReadonly, GroupVersionKind, JsonObject, Selector } from "@drover/machinery";
import { prefixOf } from "../../registry/object-store.ts";
import type { ObjectStore } from "../../registry/object-store.ts";
import type { Registry } from "../../registry/registry.ts";
import type { Resource } from "../../registry/resource.ts";
import { PolicyConfigurationError } from "./policy-error.ts";

const paramCount = budget({
  name: "apiserver/policy-params",
  limit: 1000,
  unit: "items",
  atLimit: "A binding whose selector selects more parameter objects cannot be used: the policy's failurePolicy decides about the request.",
  uncounted: "The answer says so to the one who sent the request.",
});

/** The kind of parameters, parsed. */
export function parseParamKind({ apiVersion = "", kind = "" }: DeepReadonly<ParamKind>): GroupVersionKind {
  return { ...parseGroupVersion(apiVersion), kind };
}

/** A reference with its compiled selector. */
export interface CompiledParamRef {
  readonly name: string;
  readonly namespace: string;
  readonly selector: Selector | undefined;
  readonly isRequired: boolean;
}

export function compileParamRef({
  name = "",
  namespace = "",
  selector,
  parameterNotFoundAction,
}: DeepReadonly<ParamRef>): CompiledParamRef {
  return {
    name,
    namespace,
    selector: selector === undefined ? undefined : selectorFromLabelSelector(selector),
    isRequired: parameterNotFoundAction === "Deny",
  };
}

/** Parameters of one evaluation; undefined if the policy has none, or the binding refers to none. */
export type Params = JsonObject | undefined;

export class ParamFinder {
  readonly #objects: ObjectStore;
  readonly #registry: Pick<Registry, "resources">;

  constructor(objects: ObjectStore, registry: Pick<Registry, "resources">) {
    this.#objects = objects;
    this.#registry = registry;
  }

  /** Returns the resource of a kind. Throws a `PolicyConfigurationError` when it is not served. */
  resourceOf(wanted: GroupVersionKind): Resource {
    const found = this.#registry.resources.find(
      ({ kind: { group, version, kind } }) => kind === wanted.kind && group === wanted.group && version === wanted.version,
    );
    if (found === undefined)
      throw new PolicyConfigurationError(`failed to find resource referenced by paramKind: '${printGroupVersionKind(wanted)}'`);
    return found;
  }

  /** Returns the objects, each for one evaluation; none if there are none and they are optional. Throws a `PolicyConfigurationError`. */
  async find(resource: Resource | undefined, ref: CompiledParamRef | undefined, namespace: string): Promise<readonly Params[]> {
    if (resource === undefined || ref === undefined) return [undefined];
    const isNamespaced = resource.kind.scope === "Namespaced";
    if (isNamespaced && ref.namespace === "" && namespace === "")
      throw new PolicyConfigurationError("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
    if (!isNamespaced && ref.namespace !== "")
      throw new PolicyConfigurationError("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
    const prefix = prefixOf(resource, isNamespaced ? (ref.namespace === "" ? namespace : ref.namespace) : "");
    const found =
      ref.selector === undefined
        ? await this.#named(resource, `${prefix}${ref.name}`)
        : await this.#selected(resource, prefix, ref.selector);
    if (found.length === 0 && ref.isRequired)
      throw new PolicyConfigurationError("no params found for policy binding with `Deny` parameterNotFoundAction");
    return found;
  }

  async #named(resource: Resource, key: string): Promise<readonly Params[]> {
    const { stored } = await this.#objects.store.get(key);
    return stored === undefined ? [] : [this.#objects.views(resource).shared(stored) as JsonObject];
  }

  async #selected(resource: Resource, prefix: string, selector: Selector): Promise<readonly Params[]> {
    const { items } = await this.#objects.store.list(prefix);
    const views = this.#objects.views(resource);
    const selected = items.filter((stored) => selector.matches(views.parts(stored).labels));
    if (selected.length > paramCount.limit)
      throw new PolicyConfigurationError(
        `paramRef.selector selects ${selected.length} objects, more than ${paramCount.limit}; use a narrower selector`,
      );
    return selected.map((stored) => views.shared(stored) as JsonObject);
  }
}
