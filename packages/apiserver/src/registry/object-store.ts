/** The store as the verbs see it: objects of resources at keys, instead of texts. */
import { assert, byteLength, newFailure } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import type { PutOptions, Revision, Store, Stored } from "../storage/store.ts";
import { StatusError } from "../status-error.ts";
import { ObjectViews } from "./object-views.ts";
import { WatchFrames } from "./watch-frames.ts";
import type { Resource } from "./resource.ts";

/** An object as it is stored. */
export interface Live {
  readonly stored: Stored;
  /** Shared by whoever looks at it during one request. */
  readonly object: JsonObject;
}

export interface PutTextOption {
  /** What `encode` of the resource's views makes of the object, from whoever has it already. @default made now */
  readonly text?: string;
}

/** Guarantees: one set of views per resource. */
export class ObjectStore {
  readonly store: Store;
  readonly #bytesMax: number;
  readonly #views = new WeakMap<Resource, ObjectViews>();
  readonly #frames = new WeakMap<Resource, WatchFrames>();

  /** `bytesMax` is how large an object may be. */
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

  /** What those who watch this resource see, made once for all of them. */
  frames(resource: Resource): WatchFrames {
    const known = this.#frames.get(resource);
    if (known !== undefined) return known;
    const frames = new WatchFrames(resource, this.views(resource));
    this.#frames.set(resource, frames);
    return frames;
  }

  async get(resource: Resource, key: string): Promise<Live | undefined> {
    const { stored } = await this.store.get(key);
    return stored === undefined ? undefined : { stored, object: this.views(resource).object(stored) };
  }

  /**
   * Writes if the key is as expected; undefined if it is not. Throws a 500 for an object that is too large, as etcd
   * makes the server do.
   */
  async put(
    resource: Resource,
    key: string,
    object: JsonObject,
    { text: encoded, ...options }: PutOptions & PutTextOption,
  ): Promise<Stored | undefined> {
    const views = this.views(resource);
    const text = encoded ?? views.encode(object);
    // A UTF-16 unit takes one to three bytes.
    if (text.length * 3 > this.#bytesMax && byteLength(text) > this.#bytesMax)
      throw new StatusError(newFailure(500, "", "etcdserver: request is too large"));
    const outcome = await this.store.put(key, text, options);
    if (!outcome.written) return undefined;
    views.remember(outcome.result, object);
    return outcome.result;
  }

  /** Deletes what was last written at this revision; the revision of the deletion, or undefined when it has changed or is gone. */
  async delete(key: string, expected: Revision): Promise<Revision | undefined> {
    const outcome = await this.store.delete(key, expected);
    return outcome.written ? outcome.revision : undefined;
  }
}

/** The prefix of a namespace, or of all of them for "". */
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
