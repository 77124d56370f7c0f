/**
 * A change to one object in the store, as handlers receive it. The store is written first.
 *
 *     Delta → InformerStore → Change<T> → HandlerSet → handler
 *
 * The store emits `AddedChange`, `UpdatedChange` and `DeletedChange`. They hold versions and decode an object when a handler
 * first reads it, so a handler that uses only the key costs nothing.
 */
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";

/** An object was added. */
export interface Added<T extends KubeObject> {
  readonly type: "added";
  readonly key: ObjectKey;
  readonly uid: string;
  /** The version of `object`; reading it decodes nothing. Absent only on hand-made changes. */
  readonly resourceVersion?: string;
  readonly object: DeepReadonly<T>;
  /** Bytes of the JSON that the server sent for its objects; an estimate of what keeping this change costs. Absent if it is unknown. */
  readonly bytes?: number | undefined;
  /** Whether the object existed when the informer, or this handler, started. */
  readonly isInInitialList: boolean;
}

/** An object was updated, or a resync is due. */
export interface Updated<T extends KubeObject> {
  readonly type: "updated";
  readonly key: ObjectKey;
  readonly uid: string;
  /** The version of `object`; reading it decodes nothing. Absent only on hand-made changes. */
  readonly resourceVersion?: string;
  readonly object: DeepReadonly<T>;
  /** The state this handler last received; versions in between may have been merged. */
  readonly before: DeepReadonly<T>;
  /** The version of `before`; reading it decodes nothing. Absent only on hand-made changes. */
  readonly resourceVersionBefore?: string;
  /** Bytes of the JSON that the server sent for its objects; an estimate of what keeping this change costs. Absent if it is unknown. */
  readonly bytes?: number | undefined;
  /** Whether nothing changed and a resync was due. */
  readonly isResync: boolean;
  /**
   * Whether the server may have been restored from a backup between the two states: then their resource versions and generations may be
   * equal although their content differs. @default false
   */
  readonly isNewEpoch?: boolean;
}

/** An object was deleted. */
export interface Deleted<T extends KubeObject> {
  readonly type: "deleted";
  readonly key: ObjectKey;
  readonly uid: string;
  /** The version of `object`; reading it decodes nothing. Absent only on hand-made changes. */
  readonly resourceVersion?: string;
  /** The last known state. */
  readonly object: DeepReadonly<T>;
  /** Bytes of the JSON that the server sent for its objects; an estimate of what keeping this change costs. Absent if it is unknown. */
  readonly bytes?: number | undefined;
  /** Whether the deletion itself was missed, so that there may have been later states than `object`. */
  readonly isFinalStateUnknown: boolean;
}

/** A change of one object, as handlers receive it. */
export type Change<T extends KubeObject = KubeObject> = Added<T> | Updated<T> | Deleted<T>;

/** A change that the store made; consecutive ones of a key can be merged. */
export type StoreChange<T extends KubeObject = KubeObject> = AddedChange<T> | UpdatedChange<T> | DeletedChange<T>;

// Classes, not literals with getters: creating one such literal costs as much as all other work for an event.

export class AddedChange<T extends KubeObject = KubeObject> implements Added<T> {
  readonly type = "added";
  readonly key: ObjectKey;
  readonly uid: string;
  readonly isInInitialList: boolean;
  readonly #version: ObjectVersion<T>;

  constructor({ version, isInInitialList }: { readonly version: ObjectVersion<T>; readonly isInInitialList: boolean }) {
    this.key = version.key;
    this.uid = version.uid;
    this.isInInitialList = isInInitialList;
    this.#version = version;
  }

  get resourceVersion(): string {
    return this.#version.resourceVersion;
  }

  get object(): DeepReadonly<T> {
    return this.#version.object;
  }

  get bytes(): number | undefined {
    return this.#version.bytes;
  }

  toJSON(): Added<T> {
    const { type, key, uid, object, isInInitialList } = this;
    return { type, key, uid, object, isInInitialList };
  }
}

/** The versions on both sides of an update. */
export interface UpdatedVersions<T extends KubeObject> {
  readonly version: ObjectVersion<T>;
  readonly before: ObjectVersion<T>;
  readonly isResync: boolean;
  /** @default false */
  readonly isNewEpoch?: boolean;
}

export class UpdatedChange<T extends KubeObject = KubeObject> implements Updated<T> {
  readonly type = "updated";
  readonly key: ObjectKey;
  readonly uid: string;
  readonly isResync: boolean;
  readonly isNewEpoch: boolean;
  readonly #version: ObjectVersion<T>;
  readonly #before: ObjectVersion<T>;

  constructor({ version, before, isResync, isNewEpoch = false }: UpdatedVersions<T>) {
    this.key = version.key;
    this.uid = version.uid;
    this.isResync = isResync;
    this.isNewEpoch = isNewEpoch;
    this.#version = version;
    this.#before = before;
  }

  get resourceVersion(): string {
    return this.#version.resourceVersion;
  }

  get object(): DeepReadonly<T> {
    return this.#version.object;
  }

  get resourceVersionBefore(): string {
    return this.#before.resourceVersion;
  }

  get before(): DeepReadonly<T> {
    return this.#before.object;
  }

  get bytes(): number | undefined {
    const [now, before] = [this.#version.bytes, this.#before.bytes];
    return now === undefined || before === undefined ? undefined : now + before;
  }

  /** Returns one change for two: `earlier`, which the handler has not received, and this one after it. */
  mergedWith(earlier: AddedChange<T> | UpdatedChange<T>): AddedChange<T> | UpdatedChange<T> {
    const version = this.#version;
    if (earlier.type === "added") return new AddedChange({ version, isInInitialList: earlier.isInInitialList });
    return new UpdatedChange({
      version,
      before: earlier.#before,
      isResync: earlier.isResync && this.isResync,
      isNewEpoch: earlier.isNewEpoch || this.isNewEpoch,
    });
  }

  toJSON(): Updated<T> {
    const { type, key, uid, object, before, isResync, isNewEpoch } = this;
    return { type, key, uid, object, before, isResync, ...(isNewEpoch ? { isNewEpoch } : {}) };
  }
}

export class DeletedChange<T extends KubeObject = KubeObject> implements Deleted<T> {
  readonly type = "deleted";
  readonly key: ObjectKey;
  readonly uid: string;
  readonly isFinalStateUnknown: boolean;
  readonly #version: ObjectVersion<T>;

  constructor({ version, isFinalStateUnknown }: { readonly version: ObjectVersion<T>; readonly isFinalStateUnknown: boolean }) {
    this.key = version.key;
    this.uid = version.uid;
    this.isFinalStateUnknown = isFinalStateUnknown;
    this.#version = version;
  }

  get resourceVersion(): string {
    return this.#version.resourceVersion;
  }

  get object(): DeepReadonly<T> {
    return this.#version.object;
  }

  get bytes(): number | undefined {
    return this.#version.bytes;
  }

  toJSON(): Deleted<T> {
    const { type, key, uid, object, isFinalStateUnknown } = this;
    return { type, key, uid, object, isFinalStateUnknown };
  }
}
