/**
 * The controller of one kind with the API of Wrangler's generated code, without code generation.
 *
 *     newFactory → factory.controller(ConfigMap) → onChange, onRemove, enqueue, cache, verbs
 */
import type { SendOptions, SharedIndexInformer } from "@drover/client-go";
import type { EnqueueReason, HandlerTransaction, SharedClientFactory, SharedController, SharedControllerHandler } from "@drover/lasso";
import type { DeepReadonly, GroupVersionKind, Kind, KubeObject, Scope } from "@drover/machinery";
import { newClientInterface } from "./client-interface.ts";
import type { ClientInterface } from "./client-interface.ts";
import { newGenericCache } from "./generic-cache.ts";
import type { CacheInterface } from "./generic-cache.ts";
import { newRemoveHandler } from "./remove-handler.ts";
import type { OnRemoveOptions, RemoveHandler } from "./remove-handler.ts";
import { takeName } from "./scope-arguments.ts";
import type { NameArguments } from "./scope-arguments.ts";

/** How long a handler stays registered: a signal, or a transaction on whose commit it starts. */
export type Until = AbortSignal | HandlerTransaction;

/** Writes an object back. */
export type Updater<T extends KubeObject> = (object: DeepReadonly<T>, options?: SendOptions) => Promise<T>;

/** The part of a controller that does not depend on the object type. */
export interface ControllerMeta<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  informer(): SharedIndexInformer<T>;
  groupVersionKind(): GroupVersionKind;
  /** `onChange` for an untyped handler. */
  addGenericHandler(until: Until, name: string, handler: SharedControllerHandler): void;
  /** `onRemove` for an untyped handler. */
  addGenericRemoveHandler(until: Until, name: string, handler: RemoveHandler<KubeObject>, options?: OnRemoveOptions<KubeObject>): void;
  updater(): Updater<T>;
  /** "namespace/name", or "name". */
  enqueueKey(key: string, reason?: EnqueueReason): void;
}

/** Guarantees: enqueueing a key never counts as a failure; a namespace for a cluster-scoped kind does not compile. */
export interface ControllerInterface<T extends KubeObject, S extends Scope = Scope> extends ControllerMeta<T>, ClientInterface<T, S> {
  readonly kind: Kind<T, S>;
  /** Calls the handler with every due key and its object, or undefined if it is gone. Throws if the name is taken. */
  onChange(until: Until, name: string, handler: SharedControllerHandler<T>): void;
  /**
   * Calls the handler before an object is deleted, behind a finalizer. @see OnRemoveOptions for the objects and the
   * finalizer's name
   */
  onRemove(until: Until, name: string, handler: RemoveHandler<T>, options?: OnRemoveOptions<T>): void;
  /** Runs the key as soon as a worker is free. */
  enqueue(...given: [...NameArguments<S>, reason?: EnqueueReason]): void;
  /** Runs the key after this many milliseconds; 0 is immediately. */
  enqueueAfter(...given: [...NameArguments<S>, afterMs: number, reason?: EnqueueReason]): void;
  cache(): CacheInterface<T, S>;
}

/** Creates the controller of a kind on Lasso's shared controller. */
export function newGenericController<T extends KubeObject, S extends Scope>(
  kind: Kind<T, S>,
  shared: SharedController<T>,
  clients: SharedClientFactory,
): ControllerInterface<T, S> {
  const { scope } = kind;
  const verbs = newClientInterface(kind, shared.client(), clients);
  const onRemove: ControllerInterface<T, S>["onRemove"] = (until, name, handler, options) =>
    shared.registerHandler(until, name, newRemoveHandler(name, kind, handler, options));
  let cache: CacheInterface<T, S> | undefined;
  return {
    ...verbs,
    kind,
    informer: () => shared.informer(),
    groupVersionKind: () => shared.kind,
    onChange: (until, name, handler) => shared.registerHandler(until, name, handler),
    onRemove,
    // An untyped handler accepts every object, and returns one of the kind it was given.
    addGenericHandler: (until, name, handler) => shared.registerHandler(until, name, handler as SharedControllerHandler<T>),
    addGenericRemoveHandler: (until, name, handler, options) => onRemove(until, name, handler, options),
    updater: () => (object, options) => verbs.update(object, options),
    enqueue: (...given) => {
      const {
        namespace,
        name,
        rest: [reason],
      } = takeName(scope, given);
      shared.enqueue(namespace, name, reason as EnqueueReason);
    },
    enqueueAfter: (...given) => {
      const {
        namespace,
        name,
        rest: [afterMs, reason],
      } = takeName(scope, given);
      shared.enqueueAfter(namespace, name, afterMs as number, reason as EnqueueReason);
    },
    enqueueKey: (key, reason) => shared.enqueueKey(key, reason),
    cache: () => (cache ??= newGenericCache(kind, shared.informer())),
  };
}
