/**
 * The source of a bounded informer: separates bodies from what the informer always keeps, as each object arrives, so that not even a list
 * of the whole collection holds more bodies than the limit.
 *
 *     VersionSource → BodySource → BodyVersion → reflector
 *                          └→ BodyCache
 *
 * An object that the informer has already, with the same content, brings nothing: a relist neither fills the cache nor allocates.
 */
import type { KubeObject, ListOptions, ObjectKey } from "@drover/machinery";
import { contentDigest, encodedObject } from "../source/content-digest.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import type { LazyWatchEvent, SourceCall, VersionPage, VersionRestorer, VersionSource } from "../source/version-source.ts";
import type { BodyCache, BodyHolder } from "./body-cache.ts";
import { BodyVersion, IndexFault } from "./body-version.ts";
import type { IndexedValues } from "./body-version.ts";

export interface BodySourceOptions<T extends KubeObject> {
  readonly source: VersionSource<T>;
  readonly bodies: BodyCache;
  /** Index functions, in the order of `BodyVersion.indexed`. */
  readonly indexFunctions: readonly ((version: ObjectVersion<T>) => readonly string[])[];
  /** Returns what the informer has stored. */
  readonly known: (key: ObjectKey) => BodyVersion<T> | undefined;
}

export class BodySource<T extends KubeObject> implements VersionSource<T> {
  readonly #options: BodySourceOptions<T>;
  #restorer: VersionRestorer<T> | undefined;

  constructor(options: BodySourceOptions<T>) {
    this.#options = options;
  }

  get description(): string {
    return this.#options.source.description;
  }

  get supportsWatchList(): boolean {
    return this.#options.source.supportsWatchList;
  }

  get fields(): readonly string[] | undefined {
    return this.#options.source.fields;
  }

  get check(): (() => Promise<void>) | undefined {
    return this.#options.source.check;
  }

  async list(options: ListOptions, call: SourceCall): Promise<VersionPage<T>> {
    const restorer = await this.#ready();
    const page = await this.#options.source.list(options, call);
    return { ...page, items: page.items.map((version) => this.#arrived(version, restorer, true)) };
  }

  async *watch(options: ListOptions, call: SourceCall): AsyncGenerator<readonly LazyWatchEvent<T>[], void, undefined> {
    const restorer = await this.#ready();
    for await (const batch of this.#options.source.watch(options, call)) yield batch.map((event) => this.#event(event, restorer));
  }

  #event(event: LazyWatchEvent<T>, restorer: VersionRestorer<T>): LazyWatchEvent<T> {
    if (event.type !== "ADDED" && event.type !== "MODIFIED" && event.type !== "DELETED") return event;
    return { type: event.type, version: this.#arrived(event.version, restorer, event.type !== "DELETED") };
  }

  #arrived(arrived: ObjectVersion<T>, restorer: VersionRestorer<T>, isIndexed: boolean): BodyVersion<T> {
    const { bodies, known } = this.#options;
    const encoded = encodedObject(arrived);
    const digest = contentDigest(encoded);
    const old = known(arrived.key);
    if (old !== undefined && arrived.resourceVersion !== "" && isSame(old, arrived, digest)) return old;
    const version = new BodyVersion<T>({ arrived, digest, indexed: isIndexed ? this.#indexed(arrived) : [], restorer });
    bodies.put(version, encoded.bytes, encoded.encoding);
    if (isIndexed && old?.uid === arrived.uid) inheritReads(version, old);
    return version;
  }

  #indexed(version: ObjectVersion<T>): IndexedValues {
    const { indexFunctions } = this.#options;
    if (indexFunctions.length === 0) return none;
    return indexFunctions.map((valuesOf) => {
      try {
        const values = valuesOf(version);
        const [first] = values;
        // Most objects have one value, and a string is smaller than a list of one.
        return values.length === 1 && first !== undefined ? first : values.slice();
      } catch (error) {
        return new IndexFault(error);
      }
    });
  }

  async #ready(): Promise<VersionRestorer<T>> {
    const { source } = this.#options;
    this.#restorer ??= await source.restorer?.();
    if (this.#restorer === undefined) throw new TypeError(`${source.description}: the source does not keep objects as bytes`);
    return this.#restorer;
  }
}

/** The next version of an object that is read is probably read as well; the old one only waits for its turn to be evicted. */
function inheritReads(version: BodyHolder, old: BodyHolder): void {
  if (version.body === undefined || old.body === undefined) return;
  version.body.isRead = old.body.isRead;
  old.body.isRead = false;
}

const none: IndexedValues = Object.freeze([]);

const isSame = (old: BodyVersion<KubeObject>, { uid, resourceVersion }: ObjectVersion, digest: number): boolean =>
  old.uid === uid && old.resourceVersion === resourceVersion && old.digest === digest;
