/**
 * Finds the policies, bindings and parameters that apply to a request. Validating and mutating policies share it.
 *
 *     PolicyHook[], request → PolicyDispatch.invocations → PolicyInvocation[], and configuration errors in between
 */
import { newNotFound } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import type { ObjectStore } from "../../registry/object-store.ts";
import type { Registry } from "../../registry/registry.ts";
import type { Resource } from "../../registry/resource.ts";
import { StatusError } from "../../status-error.ts";
import type { AdmissionRequest } from "../admission.ts";
import { isNamespaces } from "../match/match-target.ts";
import { NamespaceMatch } from "../match/selector-match.ts";
import { matchPolicy } from "./policy-match.ts";
import type { PolicyMatch } from "./policy-match.ts";
import { PolicyConfigurationError } from "./policy-error.ts";
import { ParamFinder } from "./policy-params.ts";
import type { Params } from "./policy-params.ts";
import type { BindingParts, PolicyParts, Usable } from "./policy-parts.ts";
import type { PolicyHook } from "./policy-source.ts";

/** One evaluation of a policy, or an error of its configuration. */
export type PolicyInvocation<P, B> =
  | { readonly policy: P; readonly binding: B; readonly resource: Resource; readonly params: Params }
  | { readonly policy: P; readonly binding: B | undefined; readonly problem: string };

export class PolicyDispatch {
  readonly #objects: ObjectStore;
  readonly #registry: Pick<Registry, "resources">;
  readonly #namespaces: Resource;
  readonly #match: NamespaceMatch;
  readonly #params: ParamFinder;

  /** `namespaces` is the resource of namespaces. */
  constructor(objects: ObjectStore, registry: Pick<Registry, "resources">, namespaces: Resource) {
    this.#objects = objects;
    this.#registry = registry;
    this.#namespaces = namespaces;
    this.#match = new NamespaceMatch(objects, namespaces);
    this.#params = new ParamFinder(objects, registry);
  }

  /** Returns invocations in the order of policies, bindings and parameters. */
  async invocations<P extends PolicyParts, B extends BindingParts>(
    hooks: readonly PolicyHook<P, B>[],
    request: AdmissionRequest,
  ): Promise<readonly PolicyInvocation<P, B>[]> {
    const found: PolicyInvocation<P, B>[] = [];
    for (const hook of hooks) found.push(...(await this.#invocationsOf(hook, request)));
    return found;
  }

  async #invocationsOf<P extends PolicyParts, B extends BindingParts>(
    { policy, bindings }: PolicyHook<P, B>,
    request: AdmissionRequest,
  ): Promise<readonly PolicyInvocation<P, B>[]> {
    const resource = await this.#attempt(() => this.#matched(policy.match, request));
    if (resource instanceof PolicyConfigurationError)
      return [{ policy, binding: undefined, problem: `failed to configure policy: ${resource.message}` }];
    if (resource === undefined) return [];
    const { paramKind } = policy;
    const paramResource = await this.#attempt(() => (paramKind === undefined ? undefined : this.#params.resourceOf(paramKind)));
    if (paramResource instanceof PolicyConfigurationError)
      return [{ policy, binding: undefined, problem: `failed to configure policy: ${paramResource.message}` }];
    const found: PolicyInvocation<P, B>[] = [];
    for (const binding of bindings) {
      const params = await this.#attempt(() => this.#paramsOf(binding, paramResource, request));
      if (params instanceof PolicyConfigurationError)
        found.push({ policy, binding, problem: `failed to configure binding: ${params.message}` });
      else for (const each of params ?? []) found.push({ policy, binding, resource, params: each });
    }
    return found;
  }

  async #matched(match: Usable<PolicyMatch>, request: AdmissionRequest): Promise<Resource | undefined> {
    return matchPolicy(partOf(match), request, { registry: this.#registry, namespaces: this.#match });
  }

  /** Returns the parameters; undefined if the binding does not match. */
  async #paramsOf(
    { match, paramRef }: BindingParts,
    paramResource: Resource | undefined,
    request: AdmissionRequest,
  ): Promise<readonly Params[] | undefined> {
    const own = partOf(match);
    const services = { registry: this.#registry, namespaces: this.#match };
    if (own !== undefined && (await matchPolicy(own, request, services)) === undefined) return undefined;
    return this.#params.find(paramResource, partOf(paramRef), request.namespace);
  }

  async #attempt<T>(find: () => Promise<T> | T): Promise<T | PolicyConfigurationError> {
    try {
      return await find();
    } catch (error) {
      if (error instanceof PolicyConfigurationError) return error;
      throw error;
    }
  }

  /** Returns the Namespace of a request; undefined for cluster-scoped objects. Throws a 404. */
  async namespaceOf({ namespace, resource }: AdmissionRequest): Promise<JsonObject | undefined> {
    if (namespace === "" || isNamespaces(resource)) return undefined;
    const { stored } = await this.#objects.store.get(`${this.#namespaces.storagePrefix}${namespace}`);
    if (stored === undefined) throw new StatusError(newNotFound({ group: "", resource: "namespaces" }, namespace));
    return this.#objects.views(this.#namespaces).shared(stored) as JsonObject;
  }
}

function partOf<T>(usable: Usable<T>): T {
  if ("problem" in usable) throw new PolicyConfigurationError(usable.problem);
  return usable.part;
}

/** Returns an object in the version of an equivalent resource. The body of a subresource has only one version. */
export function inVersionOf(object: JsonObject | undefined, from: Resource, to: Resource, subresource: string): JsonObject | undefined {
  if (object === undefined || from === to || (subresource !== "" && subresource !== "status")) return object;
  const stored = from.conversion?.toStored(object) ?? object;
  const { group, version } = to.kind;
  return {
    ...(to.conversion?.fromStored(stored) ?? stored),
    apiVersion: group === "" ? version : `${group}/${version}`,
    kind: to.kind.kind,
  };
}
