/**
 * Converts stored texts to objects of one resource. The text of a response is the stored text with `kind`, `apiVersion` and
 * `resourceVersion` inserted; it is parsed only when a caller needs a field.
 */
import { apiVersionOf, assert, decodeJson, getOwn, isJsonObject } from "@drover/machinery";
import type { DeepReadonly, JsonObject } from "@drover/machinery";
import type { Revision, Stored } from "../storage/store.ts";
import type { Resource } from "./resource.ts";
import { encodeStored, withVersion } from "./stored-text.ts";

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
  readonly #isStoredAsIs: boolean;

  constructor(resource: Resource) {
    const { kind } = resource;
    this.#resource = resource;
    const [kindText, versionText] = [`"kind":${JSON.stringify(kind.kind)}`, `"apiVersion":${JSON.stringify(apiVersionOf(kind))}`];
    this.#start = resource.isCustom ? `{${versionText},${kindText},` : `{${kindText},${versionText},`;
    this.#isStoredAsIs = !resource.isCustom && resource.conversion === undefined;
  }

  /** Returns the text to store for an object of this resource. */
  encode(object: JsonObject): string {
    return encodeStored(this.#resource.conversion === undefined ? object : this.#resource.conversion.toStored(object), this.#resource);
  }

  /** Caches the text of an object that was just written, so that it need not be decoded again. */
  remember(stored: Stored, object: JsonObject): void {
    if (!this.#isStoredAsIs)
      this.#texts.set(stored, this.#resource.conversion === undefined ? stored.value : encodeStored(object, this.#resource));
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
    const { kind, isCustom, conversion, codec } = this.#resource;
    const value = decodeJson(stored.value);
    const { metadata, ...rest } = isJsonObject(value) ? value : {};
    const meta: JsonObject = { ...(isJsonObject(metadata) ? metadata : {}), resourceVersion: String(revision) };
    const object: JsonObject = { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata: meta, ...rest };
    if (conversion !== undefined) return conversion.fromStored(object);
    // Custom objects follow the current schema, not the one they were written under.
    return isCustom ? codec.decodeValue(object, { isStored: true }).object : object;
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
