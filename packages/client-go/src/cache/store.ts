/**
 * client-go's `Store`: objects by key.
 *
 *     reflector → Store → get, list
 */

/** Lists keys. */
export interface KeyLister {
  listKeys(): string[];
}

/** Returns objects by key. */
export interface KeyGetter<T> {
  /** Returns undefined if there is no such object. */
  getByKey(key: string): T | undefined;
}

/** Lists keys and returns objects by key. */
export interface KeyListerGetter<T> extends KeyLister, KeyGetter<T> {}

/**
 * A container of objects. Reads return the stored objects, not copies: do not modify them. Methods that take an object throw a
 * `KeyError`, and change nothing, if it has no key.
 */
export interface Store<T, Stored = T> extends KeyListerGetter<Stored> {
  add(object: T): void;
  update(object: T): void;
  delete(object: T): void;
  list(): Stored[];
  get(object: T): Stored | undefined;
  /** Replaces the whole content. The store takes ownership of the list. */
  replace(list: readonly T[], resourceVersion?: string): void;
  /** Requeues objects in queues; other stores do nothing. */
  resync(): void;
}
