/**
 * The controller of one kind as Wrangler's generated code has it, made of the shared controller and without the generating.
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

/** Until when a handler stays: a signal, or a transaction with whose commit it begins. */
export type Until = AbortSignal | HandlerTransaction;

/** Writes an object back. */
export type Updater<T extends KubeObject> = (object: DeepReadonly<T>, options?: SendOptions) => Promise<T>;

/** What is true of a controller whatever the type of its objects. */
export interface ControllerMeta<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  informer(): SharedIndexInformer<T>;
  groupVersionKind(): GroupVersionKind;
  /** `onChange` for a handler that does not care for the type. */
  addGenericHandler(until: Until, name: string, handler: SharedControllerHandler): void;
  /** `onRemove` for a handler that does not care for the type. */
  addGenericRemoveHandler(until: Until, name: string, handler: RemoveHandler<KubeObject>, options?: OnRemoveOptions<KubeObject>): void;
  updater(): Updater<T>;
  /** "namespace/name", or "name". */
  enqueueKey(key: string, reason?: EnqueueReason): void;
}

/** Guarantees: asking for a key never counts as a failure; a namespace for a kind that is in none does not compile. */
export interface ControllerInterface<T extends KubeObject, S extends Scope = Scope> extends ControllerMeta<T>, ClientInterface<T, S> {
  readonly kind: Kind<T, S>;
  /** Is called with every key that is due, and with its object; undefined when it is gone. Throws when the name is taken. */
  onChange(until: Until, name: string, handler: SharedControllerHandler<T>): void;
  /** Is called before an object goes, which its finalizer waits for. @see OnRemoveOptions for whom, and under which name */
  onRemove(until: Until, name: string, handler: RemoveHandler<T>, options?: OnRemoveOptions<T>): void;
  /** The key runs as soon as a worker is free. */
  enqueue(...given: [...NameArguments<S>, reason?: EnqueueReason]): void;
  /** The key runs after so many milliseconds; zero is at once. */
  enqueueAfter(...given: [...NameArguments<S>, afterMs: number, reason?: EnqueueReason]): void;
  cache(): CacheInterface<T, S>;
}

/** The controller of a kind over the shared one. */
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
    // A handler of any object is one of these, and gives back an object of the kind it was given.
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
