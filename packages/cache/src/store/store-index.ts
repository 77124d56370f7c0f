/**
 * One index: the keys of each index value.
 *
 *     value → IndexFunction → ["red", "blue"] → StoreIndex → keys under "red"
 *
 * Most keys have one index value, and many index values have one key, so a single item is stored directly and only several in an
 * array or set.
 */
import { KeyList } from "./key-list.ts";

/** Returns the index values of a value: any number of strings. May throw; then the value is missing from this index. */
export type IndexFunction<V> = (value: V) => readonly string[];

/** Index functions by name. */
export type Indexers<V> = Readonly<Record<string, IndexFunction<V>>>;

/**
 * Returns the index value of a key; undefined if it has none. Must return the same for the same key. `recent` is its last result, to be
 * returned again if it is equal, so that many keys share one string.
 */
export type KeyIndexFunction = (key: string, recent: string) => string | undefined;

/** Guarantees: every index value has a key, and every key has an index value. */
export class StoreIndex<V> {
  readonly valuesOf: IndexFunction<V>;
  /** Set if the key alone decides: then nothing is remembered per key. */
  readonly #valueOfKey: KeyIndexFunction | undefined;
  readonly #keysByValue = new Map<string, string | Set<string> | KeyList>();
  readonly #valuesByKey = new Map<string, string | readonly string[]>();
  /** The last single value: the objects of a list are sorted, so many in a row have equal values, and need only one string. */
  #recent = "";

  constructor(valuesOf: IndexFunction<V>, valueOfKey?: KeyIndexFunction) {
    this.valuesOf = valuesOf;
    this.#valueOfKey = valueOfKey;
  }

  /** Returns an index with the same functions and no keys. */
  empty(): StoreIndex<V> {
    return new StoreIndex(this.valuesOf, this.#valueOfKey);
  }

  /**
   * Sets the index values of the key of a value. `isNew` says that the store did not have the key; it must be right. Throws what the index
   * function throws, without an effect.
   */
  index(key: string, value: V, isNew: boolean): void {
    if (this.#valueOfKey === undefined) return this.#record(key, this.valuesOf(value));
    if (!isNew) return;
    const only = this.#valueOfKey(key, this.#recent);
    if (only === undefined) return;
    this.#recent = only;
    this.#enter(key, only);
  }

  #record(key: string, values: readonly string[]): void {
    const before = this.#valuesByKey.get(key);
    const [first] = values;
    if (values.length === 1 && first !== undefined) {
      const only = first === this.#recent ? this.#recent : first;
      this.#recent = only;
      if (before === only) return;
      if (before !== undefined) this.#leave(key, before, values);
      this.#enter(key, only);
      this.#valuesByKey.set(key, only);
      return;
    }
    if (before !== undefined) this.#leave(key, before, values);
    if (values.length === 0) {
      this.#valuesByKey.delete(key);
      return;
    }
    const distinct = [...new Set(values)];
    for (const value of distinct) this.#enter(key, value);
    this.#valuesByKey.set(key, distinct.length === 1 ? (distinct[0] as string) : distinct);
  }

  /** Removes a key that the store had. */
  forget(key: string): void {
    const before = this.#valueOfKey === undefined ? this.#valuesByKey.get(key) : this.#valueOfKey(key, this.#recent);
    if (before === undefined) return;
    this.#leave(key, before, []);
    this.#valuesByKey.delete(key);
  }

  keys(value: string): Iterable<string> {
    const keys = this.#keysByValue.get(value);
    if (keys === undefined) return [];
    return typeof keys === "string" ? [keys] : keys;
  }

  values(): Iterable<string> {
    return this.#keysByValue.keys();
  }

  #enter(key: string, value: string): void {
    const keys = this.#keysByValue.get(value);
    if (keys === undefined) this.#keysByValue.set(value, key);
    else if (typeof keys !== "string") keys.add(key);
    else if (keys !== key) this.#keysByValue.set(value, this.#valueOfKey === undefined ? new Set([keys, key]) : new KeyList(keys, key));
  }

  #leave(key: string, before: string | readonly string[], staying: readonly string[]): void {
    for (const value of typeof before === "string" ? [before] : before) {
      if (staying.includes(value)) continue;
      const keys = this.#keysByValue.get(value);
      if (typeof keys === "object") keys.delete(key);
      if (keys === key || (typeof keys === "object" && keys.size === 0)) this.#keysByValue.delete(value);
    }
  }
}
