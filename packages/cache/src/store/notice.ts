/**
 * A change before anybody has looked at it: versions instead of objects.
 *
 *     store written → Notice → (waits with a slow handler, merged with others of its key) → changeOf → Change<T> → handler
 */
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import type { Added, Change, Deleted, Updated } from "./change.ts";
import type { ObjectVersion } from "../source/object-version.ts";

export interface AddedNotice<T extends KubeObject> {
  readonly type: "added";
  readonly version: ObjectVersion<T>;
  readonly isInInitialList: boolean;
}

export interface UpdatedNotice<T extends KubeObject> {
  readonly type: "updated";
  readonly version: ObjectVersion<T>;
  readonly before: ObjectVersion<T>;
  readonly isResync: boolean;
}

export interface DeletedNotice<T extends KubeObject> {
  readonly type: "deleted";
  readonly version: ObjectVersion<T>;
  readonly isFinalStateUnknown: boolean;
}

export type Notice<T extends KubeObject = KubeObject> = AddedNotice<T> | UpdatedNotice<T> | DeletedNotice<T>;

/** The change a handler sees. Nothing is parsed until it looks at an object. */
export function changeOf<T extends KubeObject>(notice: Notice<T>): Change<T> {
  if (notice.type === "added") return new AddedChange(notice);
  return notice.type === "updated" ? new UpdatedChange(notice) : new DeletedChange(notice);
}

// Classes, and not literals with getters: one of those costs as much as everything else that is done about an event.

class AddedChange<T extends KubeObject> implements Added<T> {
  readonly type = "added";
  readonly key: ObjectKey;
  readonly uid: string;
  readonly isInInitialList: boolean;
  readonly #version: ObjectVersion<T>;

  constructor({ version, isInInitialList }: AddedNotice<T>) {
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

  toJSON(): Added<T> {
    const { type, key, uid, object, isInInitialList } = this;
    return { type, key, uid, object, isInInitialList };
  }
}

class UpdatedChange<T extends KubeObject> implements Updated<T> {
  readonly type = "updated";
  readonly key: ObjectKey;
  readonly uid: string;
  readonly isResync: boolean;
  readonly #version: ObjectVersion<T>;
  readonly #before: ObjectVersion<T>;

  constructor({ version, before, isResync }: UpdatedNotice<T>) {
    this.key = version.key;
    this.uid = version.uid;
    this.isResync = isResync;
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

  toJSON(): Updated<T> {
    const { type, key, uid, object, before, isResync } = this;
    return { type, key, uid, object, before, isResync };
  }
}

class DeletedChange<T extends KubeObject> implements Deleted<T> {
  readonly type = "deleted";
  readonly key: ObjectKey;
  readonly uid: string;
  readonly isFinalStateUnknown: boolean;
  readonly #version: ObjectVersion<T>;

  constructor({ version, isFinalStateUnknown }: DeletedNotice<T>) {
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

  toJSON(): Deleted<T> {
    const { type, key, uid, object, isFinalStateUnknown } = this;
    return { type, key, uid, object, isFinalStateUnknown };
  }
}
