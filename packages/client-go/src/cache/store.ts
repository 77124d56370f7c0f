/**
 * Objects by the key that a function finds for them: the simplest thing a reflector can fill.
 *
 *     reflector → Store → get, list
 */

/** What a deletion-detecting queue needs to know of the world: its keys. */
export interface KeyLister {
  listKeys(): string[];
}

/** … and the object behind a key. */
export interface KeyGetter<T> {
  /** Undefined when there is none. */
  getByKey(key: string): T | undefined;
}

export interface KeyListerGetter<T> extends KeyLister, KeyGetter<T> {}

/**
 * Any place objects can be put. All objects handed out are the ones put in, not copies: look, do not touch.
 * Methods that take an object throw a `KeyError` when it has no key; then nothing has changed.
 */
export interface Store<T, Stored = T> extends KeyListerGetter<Stored> {
  add(object: T): void;
  update(object: T): void;
  delete(object: T): void;
  list(): Stored[];
  get(object: T): Stored | undefined;
  /** The whole content at once. The list belongs to the store from now on. */
  replace(list: readonly T[], resourceVersion?: string): void;
  /** Means something to queues only; other stores do nothing. */
  resync(): void;
}
