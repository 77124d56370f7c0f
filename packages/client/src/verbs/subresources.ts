/**
 * Clients for subresources: `…/deployments/web/scale`. A kind has exactly those that its descriptor names, so the status of
 * a ConfigMap does not compile.
 *
 *     DynamicClient, Kind → subresourceClients → deployments.scale.get("web")
 */
import type { Binding } from "@drover/api/core/v1";
import type { Eviction } from "@drover/api/policy/v1";
import type { Scale } from "@drover/api/autoscaling/v1";
import type { TokenRequest } from "@drover/api/authentication/v1";
import { getOwn } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, Scope, Status, Subresource } from "@drover/machinery";
import type { ApplyObject } from "./apply-object.ts";
import type { ApplyOptions, InNamespace, ReadOptions, WriteOptions } from "./call-options.ts";
import type { DynamicClient, Unstructured } from "./dynamic-client.ts";
import type { ClientOptions } from "./client-options.ts";
import { typedBody } from "./object-body.ts";
import type { AnyPatch, Patch } from "./patch-body.ts";
import { placeOfOne } from "./resource-target.ts";
import { logs } from "../streams/logs.ts";
import type { PodLogOptions } from "../streams/logs.ts";

/** A part of an object that is read and written separately: status, scale, resize. */
export interface PartClient<B extends KubeObject, S extends Scope> {
  get(name: string, options?: ReadOptions & InNamespace<S>): Promise<B>;
  /** Takes the whole object and writes only this part. */
  update(object: DeepReadonly<B>, options?: WriteOptions & InNamespace<S>): Promise<B>;
  patch(name: string, patch: Patch<B>, options?: WriteOptions & InNamespace<S>): Promise<B>;
  /** Server-side apply with separate ownership: fields of the part and of the object have different managers. */
  apply(object: ApplyObject<B>, options?: ApplyOptions & InNamespace<S>): Promise<B>;
}

/** A request about an object that is not stored in it: an eviction, a token. */
export interface AskClient<B extends KubeObject, A, S extends Scope> {
  /** Name and type of the body are filled in. */
  create(name: string, body?: DeepReadonly<Asked<B>>, options?: WriteOptions & InNamespace<S>): Promise<A>;
}

/** Same for a body that is required: the node to bind a pod to. */
export interface BindingClient<S extends Scope> {
  create(name: string, body: DeepReadonly<Asked<Binding>>, options?: WriteOptions & InNamespace<S>): Promise<Status>;
}

/** A body whose identity is known from the call. */
export type Asked<B extends KubeObject> = Omit<B, "apiVersion" | "kind" | "metadata"> & { readonly metadata?: B["metadata"] };

/** The log of a pod's container. */
export interface LogClient<S extends Scope> {
  /** Yields lines without line endings; with `follow` until the container exits. Guarantees what `logs` does. */
  lines(name: string, options?: PodLogOptions & InNamespace<S>): AsyncIterableIterator<string, void, undefined>;
}

/** Every subresource with verbs. Exec, attach and port-forward are streams, with functions of their own in `streams/`. */
export interface SubresourceTable<T extends KubeObject, S extends Scope> {
  readonly status: PartClient<T, S>;
  readonly scale: PartClient<Scale, S>;
  readonly resize: PartClient<T, S>;
  readonly ephemeralcontainers: PartClient<T, S>;
  readonly approval: PartClient<T, S>;
  /** Finalizers in the spec of a namespace, the last step of its deletion. */
  readonly finalize: Pick<PartClient<T, S>, "update">;
  /** Deletes a pod unless a disruption budget forbids it; then 429 (`isTooManyRequests`). */
  readonly eviction: AskClient<Eviction, Status, S>;
  /** Binds a pod to a node. */
  readonly binding: BindingClient<S>;
  /** Output of a container. */
  readonly log: LogClient<S>;
  /** Creates a token for a service account, in `status.token`. */
  readonly token: AskClient<TokenRequest, TokenRequest, S>;
}

/** The subresources of a kind; none if they are not known at compile time. */
export type Subresources<T extends KubeObject, S extends Scope, Sub extends string> = string extends Sub
  ? unknown
  : Pick<SubresourceTable<T, S>, Extract<Sub, keyof SubresourceTable<T, S>>>;

type Form = "part" | "ask" | "update" | "log";
const forms: Readonly<Record<keyof SubresourceTable<KubeObject, Scope>, Form>> = {
  status: "part",
  scale: "part",
  resize: "part",
  ephemeralcontainers: "part",
  approval: "part",
  finalize: "update",
  eviction: "ask",
  binding: "ask",
  token: "ask",
  log: "log",
};

/** Returns the clients of a kind's subresources by name. Every reconcile run creates them, so their verbs are created on access. */
export function subresourceClients(core: ClientOptions, verbs: DynamicClient, kind: Kind): Readonly<Record<string, object>> {
  const clients: Record<string, object> = {};
  for (const name in kind.subresources) {
    const body = getOwn(kind.subresources, name);
    const form = getOwn<Form>(forms, name);
    if (body !== undefined && form !== undefined)
      clients[name] = form === "log" ? logClient(core, verbs) : new SubresourceClient(verbs, name, body, form);
  }
  return clients;
}

function logClient(core: ClientOptions, { target }: DynamicClient): LogClient<"Namespaced"> {
  return {
    lines: (name, { namespace = core.namespace, ...options } = {}) => {
      placeOfOne("get", target, { namespace, name, subresource: "log" }, core.namespace);
      return logs(core.transport, { namespace, name }, options);
    },
  };
}

/** Shared state of the verbs of a subresource. The verbs are functions without `this`, created on first access. */
class SubresourceClient {
  readonly #verbs: DynamicClient;
  readonly #name: string;
  readonly #body: Subresource;
  readonly #form: Form;

  constructor(verbs: DynamicClient, name: string, body: Subresource, form: Form) {
    this.#verbs = verbs;
    this.#name = name;
    this.#body = body;
    this.#form = form;
  }

  get get() {
    if (this.#form !== "part") return undefined;
    return (owner: string, options?: ReadOptions): Promise<Unstructured> => this.#verbs.get(owner, this.#at(options));
  }

  get update() {
    if (this.#form === "ask") return undefined;
    return async (object: DeepReadonly<Unstructured>, options?: WriteOptions): Promise<Unstructured> =>
      this.#verbs.update(this.#typed(object), this.#at(options));
  }

  get patch() {
    if (this.#form !== "part") return undefined;
    return (owner: string, patch: AnyPatch, options?: WriteOptions): Promise<Unstructured> =>
      this.#verbs.patch(owner, patch, this.#at(options));
  }

  get apply() {
    if (this.#form !== "part") return undefined;
    return async (object: DeepReadonly<Unstructured>, options?: ApplyOptions): Promise<Unstructured> =>
      this.#verbs.apply(this.#typed(object), this.#at(options));
  }

  get create() {
    if (this.#form !== "ask") return undefined;
    return async (owner: string, asked: object = {}, options?: WriteOptions): Promise<Unstructured> => {
      const { metadata = {} } = asked as { readonly metadata?: KubeObject["metadata"] };
      return this.#verbs.create(this.#typed({ ...asked, metadata: { name: owner, ...metadata } }), { ...this.#at(options), name: owner });
    };
  }

  #at<O extends object>(options: O | undefined): O & { readonly subresource: string } {
    return { ...(options as O), subresource: this.#name };
  }

  #typed(object: DeepReadonly<Unstructured>): DeepReadonly<Unstructured> {
    return typedBody(`${this.#verbs.target.resource}/${this.#name}`, this.#body, object);
  }
}
