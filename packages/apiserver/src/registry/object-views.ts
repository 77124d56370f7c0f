/**
 * Converts stored texts to objects of one resource. The text of a response is the stored text with `kind`, `apiVersion` and
 * `resourceVersion` inserted; it is parsed only when a caller needs a field.
 */
import { apiVersionOf, assert, decodeJson, deepCopy, getOwn, isJsonObject, newFailure } from "@drover/machinery";
import type { DeepReadonly, JsonObject } from "@drover/machinery";
import { StatusError } from "../status-error.ts";
import type { Revision, Stored } from "../storage/store.ts";
import type { Resource, WebhookConversion } from "./resource.ts";
import { encodeStored, isStoredIn, markedVersion, markVersion, unmarked, withVersion } from "./stored-text.ts";

/** The labels and fields that selectors match. */
export interface SelectableParts {
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Views of stored objects, cached per stored value. Guarantees: `object` returns a new object on each call; nothing else is ever
 * changed.
 */
export class ObjectViews {
  readonly #resource: Resource;
  /** The text before the stored members: `{"kind":…,"apiVersion":…,`. */
  readonly #start: string;
  /** The stored text as this version would write it, where that differs from what is stored. */
  readonly #texts = new WeakMap<Stored, string>();
  readonly #parts = new WeakMap<Stored, SelectableParts>();
  readonly #messages = new WeakMap<Stored, Uint8Array>();
  readonly #shared = new WeakMap<Stored, JsonObject>();
  /** Objects that a webhook has converted. */
  readonly #converted = new WeakMap<Stored, JsonObject>();
  /** Conversions under way. */
  readonly #converting = new WeakMap<Stored, Promise<void>>();
  readonly #isStoredAsIs: boolean;
  readonly #apiVersion: string;
  readonly #storedVersion: string;

  constructor(resource: Resource) {
    const { kind } = resource;
    this.#resource = resource;
    this.#apiVersion = apiVersionOf(kind);
    this.#storedVersion = apiVersionOf({ ...kind, version: resource.storageVersion ?? kind.version });
    const [kindText, versionText] = [`"kind":${JSON.stringify(kind.kind)}`, `"apiVersion":${JSON.stringify(apiVersionOf(kind))}`];
    this.#start = resource.isCustom ? `{${versionText},${kindText},` : `{${kindText},${versionText},`;
    this.#isStoredAsIs = !resource.isCustom && resource.conversion === undefined;
  }

  /** Returns the text to store for an object of this resource; a promise if a webhook must convert it first. */
  encode(object: JsonObject): string | Promise<string> {
    const { conversion, webhookConversion, isCustom } = this.#resource;
    if (webhookConversion !== undefined && this.#apiVersion !== this.#storedVersion)
      return webhookConversion.toStored(object).then((converted) => this.#encoded(converted));
    const stored = conversion === undefined ? object : conversion.toStored(object);
    return isCustom ? this.#encoded(stored) : encodeStored(stored, this.#resource);
  }

  #encoded(stored: JsonObject): string {
    return markVersion(encodeStored(stored, this.#resource), this.#storedVersion);
  }

  /**
   * Converts objects that only a webhook can convert; without one, or when they are converted already, returns undefined. All other
   * methods assume that this was done. Rejects with a `StatusError`, also for an object in a version that the definition does not have.
   */
  ready(items: readonly Stored[]): Promise<void> | undefined {
    const { webhookConversion } = this.#resource;
    if (webhookConversion === undefined) return this.#refused(items);
    const foreign = items.filter((stored) => this.#isForeign(stored) && !this.#converted.has(stored));
    if (foreign.length === 0) return undefined;
    const underWay = new Set(foreign.flatMap((stored) => this.#converting.get(stored) ?? []));
    const others = foreign.filter((stored) => !this.#converting.has(stored));
    return others.length === 0 ? all(underWay) : all([...underWay, this.#convert(webhookConversion, others)]);
  }

  /** Like `ready`, but converts again what was converted before, as kube-apiserver does for a GET. */
  readyAgain(stored: Stored): Promise<void> | undefined {
    const { webhookConversion } = this.#resource;
    if (webhookConversion === undefined) return this.#refused([stored]);
    return this.#isForeign(stored) ? this.#convert(webhookConversion, [stored]) : undefined;
  }

  #refused(items: readonly Stored[]): Promise<void> | undefined {
    const { fromOlder } = this.#resource;
    if (fromOlder === undefined) return undefined;
    const lost = items.find((stored) => this.#isOlder(stored) && fromOlder(markedVersion(stored.value) ?? "") === undefined);
    return lost === undefined ? undefined : Promise.reject(lostVersion(lost));
  }

  /** Whether an object was stored before the storage version changed. */
  #isOlder({ value }: Stored): boolean {
    return this.#resource.fromOlder !== undefined && !isStoredIn(value, this.#storedVersion);
  }

  /** Converts objects in batches. Others who want the same objects meanwhile wait for these. */
  #convert(webhookConversion: WebhookConversion, foreign: readonly Stored[]): Promise<void> {
    const done = this.#convertBatches(webhookConversion, foreign).finally(() => {
      for (const stored of foreign) if (this.#converting.get(stored) === done) this.#converting.delete(stored);
    });
    for (const stored of foreign) this.#converting.set(stored, done);
    return done;
  }

  async #convertBatches(webhookConversion: WebhookConversion, foreign: readonly Stored[]): Promise<void> {
    for (const batch of batchesOf(foreign)) {
      const objects = await webhookConversion.fromStored(
        batch.map((stored) => this.#read(stored, stored.modRevision, markedVersion(stored.value) ?? this.#storedVersion)),
      );
      for (const [index, stored] of batch.entries()) {
        const object = objects[index];
        assert(object !== undefined, `${stored.key} was not converted`);
        this.#converted.set(stored, object);
        this.#texts.delete(stored);
      }
    }
  }

  #isForeign({ value }: Stored): boolean {
    return this.#resource.webhookConversion !== undefined && (markedVersion(value) ?? this.#storedVersion) !== this.#apiVersion;
  }

  #read(stored: Stored, revision: Revision, apiVersion: string): JsonObject {
    const value = decodeJson(stored.value);
    const { metadata, apiVersion: _mark, ...rest } = isJsonObject(value) ? value : {};
    const meta: JsonObject = { ...(isJsonObject(metadata) ? metadata : {}), resourceVersion: String(revision) };
    return { kind: this.#resource.kind.kind, apiVersion, metadata: meta, ...rest };
  }

  /** Caches the text of an object that was just written, so that it need not be decoded again. */
  remember(stored: Stored, object: JsonObject): void {
    if (this.#isStoredAsIs || this.#isForeign(stored)) return;
    this.#texts.set(stored, this.#resource.conversion === undefined ? unmarked(stored.value) : encodeStored(object, this.#resource));
  }

  /** Returns the whole object as text. A deleted object has the revision of its deletion. */
  text(stored: Stored, revision: Revision = stored.modRevision): string {
    return this.#start + withVersion(this.#text(stored), revision).slice(1);
  }

  /** Returns the object as an item of a list; items of built-in kinds carry no `kind` and `apiVersion`. */
  itemText(stored: Stored): string {
    return this.#resource.isCustom ? this.text(stored) : withVersion(this.#text(stored), stored.modRevision);
  }

  /** Decodes the object, with its resourceVersion. */
  object(stored: Stored, revision: Revision = stored.modRevision): JsonObject {
    const { isCustom, conversion, codec } = this.#resource;
    if (this.#isForeign(stored)) return this.#convertedObject(stored, revision);
    if (this.#isOlder(stored)) return this.#olderObject(stored, revision);
    const object = this.#read(stored, revision, this.#apiVersion);
    if (conversion !== undefined) return conversion.fromStored(object);
    // Custom objects follow the current schema, not the one they were written under.
    return isCustom ? codec.decodeValue(object, { isStored: true }).object : object;
  }

  #olderObject(stored: Stored, revision: Revision): JsonObject {
    const apiVersion = markedVersion(stored.value) ?? "";
    const convert = this.#resource.fromOlder?.(apiVersion);
    if (convert === undefined) throw lostVersion(stored);
    return convert(this.#read(stored, revision, apiVersion));
  }

  #convertedObject(stored: Stored, revision: Revision): JsonObject {
    const converted = this.#converted.get(stored);
    assert(converted !== undefined, `${stored.key} is read before its webhook has converted it`);
    const object = deepCopy(converted);
    const { metadata } = object;
    return { ...object, metadata: { ...(isJsonObject(metadata) ? metadata : {}), resourceVersion: String(revision) } };
  }

  /** Returns the same object on each call, for frequent readers that do not change it, such as admission of namespaces. */
  shared(stored: Stored): DeepReadonly<JsonObject> {
    const known = this.#shared.get(stored);
    if (known !== undefined) return known;
    const object = this.object(stored);
    this.#shared.set(stored, object);
    return object;
  }

  /** Returns the protobuf message without its envelope; cached, so that repeated lists share it. Custom resources have none. */
  message(stored: Stored, revision: Revision = stored.modRevision): Uint8Array {
    const known = revision === stored.modRevision ? this.#messages.get(stored) : undefined;
    if (known !== undefined) return known;
    const { messages } = this.#resource.codec;
    assert(messages !== undefined, `${this.#resource.kind.plural} have no protobuf form`);
    const message = messages.encode(this.object(stored, revision));
    if (revision === stored.modRevision) this.#messages.set(stored, message);
    return message;
  }

  parts(stored: Stored): SelectableParts {
    const known = this.#parts.get(stored);
    if (known !== undefined) return known;
    const parts = selectableParts(this.#resource, this.object(stored));
    this.#parts.set(stored, parts);
    return parts;
  }

  #text(stored: Stored): string {
    if (this.#isStoredAsIs) return stored.value;
    const known = this.#texts.get(stored);
    if (known !== undefined) return known;
    const text = encodeStored(this.object(stored), this.#resource);
    this.#texts.set(stored, text);
    return text;
  }
}

/** Only an object that was not migrated before its version was removed. */
const lostVersion = ({ value }: Stored): StatusError =>
  new StatusError(newFailure(500, "", `request to convert CR from an invalid group/version: ${markedVersion(value) ?? ""}`));

/** In one review of a webhook: a batch is decoded in one turn, and its response may be twice as large. */
const batchLength = 100;
const batchCharacters = 512 * 1024;

/** Splits objects into batches of bounded size; a large object is a batch by itself. */
function batchesOf(items: readonly Stored[]): readonly (readonly Stored[])[] {
  const batches: Stored[][] = [];
  let characters = Infinity;
  for (const stored of items) {
    const last = batches.at(-1);
    characters += stored.value.length;
    if (last !== undefined && last.length < batchLength && characters <= batchCharacters) {
      last.push(stored);
      continue;
    }
    batches.push([stored]);
    characters = stored.value.length;
  }
  return batches;
}

const all = async (promises: Iterable<Promise<void>>): Promise<void> => void (await Promise.all(promises));

/** Returns an object's labels and selectable fields. */
export function selectableParts({ selectableFields }: Resource, object: JsonObject): SelectableParts {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const text = (key: string): string => {
    const value = getOwn(metadata, key);
    return typeof value === "string" ? value : "";
  };
  const fields: Record<string, string> = { "metadata.name": text("name"), "metadata.namespace": text("namespace") };
  for (const [path, read] of selectableFields) fields[path] = read(object);
  const labels = metadata["labels"];
  return { labels: (isJsonObject(labels) ? labels : {}) as Record<string, string>, fields };
}
