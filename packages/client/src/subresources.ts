/**
 * What stands behind an object under a name of its own: `…/deployments/web/scale`. A kind has exactly those that its descriptor names, so
 * the status of a ConfigMap does not compile.
 *
 *     DynamicClient, Kind → subresourceClients → deployments.scale.get("web")
 */
import type { Binding } from "@drover/api/core/v1";
import type { Eviction } from "@drover/api/policy/v1";
import type { Scale } from "@drover/api/autoscaling/v1";
import type { TokenRequest } from "@drover/api/authentication/v1";
import type { DeepReadonly, Kind, KubeObject, Scope, Status, Subresource } from "@drover/machinery";
import type { ApplyObject } from "./apply-object.ts";
import type { ApplyOptions, InNamespace, ReadOptions, WriteOptions } from "./call-options.ts";
import type { DynamicClient, Unstructured } from "./dynamic-client.ts";
import type { ClientCore } from "./exchange.ts";
import { typedBody } from "./object-body.ts";
import type { AnyPatch, Patch } from "./patch-body.ts";
import { placeOfOne } from "./resource-target.ts";
import { logs } from "./streams/logs.ts";
import type { PodLogOptions } from "./streams/logs.ts";

/** A part of an object, read and written apart from the rest: status, scale, resize. */
export interface PartClient<B extends KubeObject, S extends Scope> {
  get(name: string, options?: ReadOptions & InNamespace<S>): Promise<B>;
  /** Takes the whole object and writes only this part of it. */
  update(object: DeepReadonly<B>, options?: WriteOptions & InNamespace<S>): Promise<B>;
  patch(name: string, patch: Patch<B>, options?: WriteOptions & InNamespace<S>): Promise<B>;
  /** Server-side apply, with owners of its own: fields of a part and of the object are owned apart. */
  apply(object: ApplyObject<B>, options?: ApplyOptions & InNamespace<S>): Promise<B>;
}

/** Something asked of an object rather than stored in it: its eviction, a token. */
export interface AskClient<B extends KubeObject, A, S extends Scope> {
  /** Name and type of the body are filled in. */
  create(name: string, body?: DeepReadonly<Asked<B>>, options?: WriteOptions & InNamespace<S>): Promise<A>;
}

/** The same for a body that cannot be left out: the node a pod is bound to. */
export interface BindingClient<S extends Scope> {
  create(name: string, body: DeepReadonly<Asked<Binding>>, options?: WriteOptions & InNamespace<S>): Promise<Status>;
}

/** A body of which the identity is known from the call. */
export type Asked<B extends KubeObject> = Omit<B, "apiVersion" | "kind" | "metadata"> & { readonly metadata?: B["metadata"] };

/** The log of a pod's container. */
export interface LogClient<S extends Scope> {
  /** Line by line, without their ends; with `follow` until the container ends. What `logs` promises. */
  lines(name: string, options?: PodLogOptions & InNamespace<S>): AsyncIterableIterator<string, void, undefined>;
}

/** Every subresource this client has verbs for. Exec, attach and port-forward are conversations and have doors of their own: `streams/`. */
export interface SubresourceTable<T extends KubeObject, S extends Scope> {
  readonly status: PartClient<T, S>;
  readonly scale: PartClient<Scale, S>;
  readonly resize: PartClient<T, S>;
  readonly ephemeralcontainers: PartClient<T, S>;
  readonly approval: PartClient<T, S>;
  /** The finalizers of a namespace's spec, the last step of its deletion. */
  readonly finalize: Pick<PartClient<T, S>, "update">;
  /** Deletes a pod if no disruption budget speaks against it; 429 (`isTooManyRequests`) when one does for now. */
  readonly eviction: AskClient<Eviction, Status, S>;
  /** Puts a pod on a node. */
  readonly binding: BindingClient<S>;
  /** What a container has written. */
  readonly log: LogClient<S>;
  /** A token for a service account, in `status.token`. */
  readonly token: AskClient<TokenRequest, TokenRequest, S>;
}

/** Those of the table that a kind has; none for a kind about which that is not known at compile time. */
export type Subresources<T extends KubeObject, S extends Scope, Sub extends string> =
  string extends Sub ? unknown : Pick<SubresourceTable<T, S>, Extract<Sub, keyof SubresourceTable<T, S>>>;

type Form = "part" | "ask" | "update" | "log";
const forms: Readonly<Record<keyof SubresourceTable<KubeObject, Scope>, Form>> = {
  status: "part", scale: "part", resize: "part", ephemeralcontainers: "part", approval: "part", finalize: "update", eviction: "ask", binding: "ask", token: "ask", log: "log",
};

/** The clients of a kind's subresources, by their names. */
export function subresourceClients(core: ClientCore, verbs: DynamicClient, kind: Kind): Readonly<Record<string, object>> {
  const entries = Object.entries(kind.subresources).flatMap(([name, subresource]) => {
    const form = Object.hasOwn(forms, name) ? forms[name as keyof typeof forms] : undefined;
    return form === undefined ? [] : [[name, form === "log" ? logClient(core, verbs) : clientOf(form, verbs, name, subresource)] as const];
  });
  return Object.fromEntries(entries);
}

function logClient(core: ClientCore, { target }: DynamicClient): LogClient<"Namespaced"> {
  return {
    lines: (name, { namespace = core.namespace, ...options } = {}) => {
      placeOfOne("get", target, { namespace, name, subresource: "log" }, core.namespace);
      return logs(core.transport, { namespace, name }, options);
    },
  };
}

function clientOf(form: Exclude<Form, "log">, verbs: DynamicClient, name: string, body: Subresource): object {
  const at = <O extends object>(options: O | undefined): O & { readonly subresource: string } => ({ ...options as O, subresource: name });
  const typed = (object: DeepReadonly<Unstructured>): DeepReadonly<Unstructured> => typedBody(`${verbs.target.resource}/${name}`, body, object);
  const update = async (object: DeepReadonly<Unstructured>, options?: WriteOptions): Promise<Unstructured> => verbs.update(typed(object), at(options));
  if (form === "update") return { update };
  if (form === "ask") {
    const create = async (owner: string, asked: object = {}, options?: WriteOptions): Promise<Unstructured> => {
      const { metadata = {} } = asked as { readonly metadata?: KubeObject["metadata"] };
      return verbs.create(typed({ ...asked, metadata: { name: owner, ...metadata } }), { ...at(options), name: owner });
    };
    return { create };
  }
  return {
    get: (owner: string, options?: ReadOptions) => verbs.get(owner, at(options)),
    update,
    patch: (owner: string, patch: AnyPatch, options?: WriteOptions) => verbs.patch(owner, patch, at(options)),
    apply: async (object: DeepReadonly<Unstructured>, options?: ApplyOptions) => verbs.apply(typed(object), at(options)),
  };
}
