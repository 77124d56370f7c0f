/** Typed access to the store: objects of resources instead of text values. */
import { assert, byteLength, newFailure } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import type { PutOptions, Revision, Store, Stored, WriteOutcome } from "../storage/store.ts";
import { StatusError } from "../status-error.ts";
import { ObjectViews } from "./object-views.ts";
import { RetryQueue } from "./retry-queue.ts";
import { storeFailure } from "./store-failure.ts";
import { WatchFrames } from "./watch-frames.ts";
import type { Resource } from "./resource.ts";

/** A stored object. */
export interface Live {
  readonly stored: Stored;
  /** Decoded once and shared within the request. */
  readonly object: JsonObject;
}

export interface PutTextOption {
  /** The encoded object, if the caller already has it. @default encoded here */
  readonly text?: string;
}

/** Reads and writes objects. Guarantees one `ObjectViews` and one `WatchFrames` per resource. */
export class ObjectStore {
  readonly store: Store;
  /** Writers that lost a race, by key. */
  readonly retries: RetryQueue = new RetryQueue();
  readonly #bytesMax: number;
  readonly #views = new WeakMap<Resource, ObjectViews>();
  readonly #frames = new WeakMap<Resource, WatchFrames>();

  /** `bytesMax` is the maximum size of an object. */
  constructor(store: Store, { bytesMax }: { readonly bytesMax: number }) {
    this.store = store;
    this.#bytesMax = bytesMax;
  }

  views(resource: Resource): ObjectViews {
    const known = this.#views.get(resource);
    if (known !== undefined) return known;
    const views = new ObjectViews(resource);
    this.#views.set(resource, views);
    return views;
  }

  /** Returns the frames of a resource, shared by all its watchers. */
  frames(resource: Resource): WatchFrames {
    const known = this.#frames.get(resource);
    if (known !== undefined) return known;
    const frames = new WatchFrames(resource, this.views(resource));
    this.#frames.set(resource, frames);
    return frames;
  }

  async get(resource: Resource, key: string): Promise<Live | undefined> {
    const { stored } = await this.store.get(key);
    if (stored === undefined) return undefined;
    const views = this.views(resource);
    const converted = views.ready([stored]);
    if (converted !== undefined) await converted;
    return { stored, object: views.object(stored) };
  }

  /**
   * Writes the object; undefined when the key is not at the expected revision. Throws a 500 for an object that is too large, as
   * with etcd.
   */
  async put(
    resource: Resource,
    key: string,
    object: JsonObject,
    { text: encoded, ...options }: PutOptions & PutTextOption,
  ): Promise<Stored | undefined> {
    const views = this.views(resource);
    const text = encoded ?? (await views.encode(object));
    // A UTF-16 code unit takes one to three bytes in UTF-8.
    if (text.length * 3 > this.#bytesMax && byteLength(text) > this.#bytesMax && etcdBytes(resource, object) > this.#bytesMax)
      throw new StatusError(newFailure(500, "", "etcdserver: request is too large"));
    const outcome = await written(() => this.store.put(key, text, resource.isCustom ? { ...options, kind: resource.kind.kind } : options));
    if (!outcome.written) return undefined;
    views.remember(outcome.result, object);
    const converted = views.ready([outcome.result]);
    if (converted !== undefined) await converted;
    return outcome.result;
  }

  /** Writes a value that is no object; undefined when the key is not at the expected revision. Throws a 500 as `put` does. */
  async putText(key: string, text: string, options: PutOptions): Promise<Stored | undefined> {
    const outcome = await written(() => this.store.put(key, text, options));
    return outcome.written ? outcome.result : undefined;
  }

  /** Deletes a key last written at `expected`. Returns the revision of the deletion; undefined when the key has changed or is gone. */
  async delete(key: string, expected: Revision): Promise<Revision | undefined> {
    const outcome = await written(() => this.store.delete(key, expected));
    return outcome.written ? outcome.revision : undefined;
  }
}

/** Turns a store that is full, refuses or cannot write into the 500 of kube-apiserver. */
async function written(write: () => Promise<WriteOutcome<Stored>>): Promise<WriteOutcome<Stored>> {
  try {
    return await write();
  } catch (error) {
    throw storeFailure(error) ?? error;
  }
}

/** The size in etcd of an object that is too large as JSON: kube-apiserver stores built-in kinds as protobuf. */
function etcdBytes({ codec: { messages } }: Resource, object: JsonObject): number {
  return messages === undefined ? Infinity : messages.encode(object).length;
}

/** Returns the key prefix of a namespace; "" spans all of them. */
export function prefixOf(resource: Resource, namespace: string): string {
  return namespace === "" ? resource.storagePrefix : `${resource.storagePrefix}${namespace}/`;
}

export function keyOf(resource: Resource, namespace: string, name: string): string {
  assert(
    (namespace === "") === (resource.kind.scope === "Cluster"),
    `${resource.kind.plural} and the namespace "${namespace}" do not go together`,
  );
  return `${prefixOf(resource, namespace)}${name}`;
}
