/**
 * Stored texts as objects of one resource. The text of an answer is the stored one with a few words put in, the same in every version that
 * differs in no more than its name; it is parsed only when somebody has to look inside.
 */
import { apiVersionOf, assert, decodeJson, getOwn, isJsonObject } from "@drover/machinery";
import type { DeepReadonly, JsonObject } from "@drover/machinery";
import type { Revision, Stored } from "../storage/store.ts";
import type { Resource } from "./resource.ts";
import { encodeStored, withVersion } from "./stored-text.ts";

/** What selectors look at. */
export interface SelectableParts {
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
}

/** Guarantees: nothing it hands out is new or changed by it later except `object`, which is new each time. */
export class ObjectViews {
  readonly #resource: Resource;
  /** What stands in front of the stored text, without its brace. */
  readonly #start: string;
  /** What would be stored if it were written now, where that is not what is stored. */
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

  /** What to store for an object of this resource. */
  encode(object: JsonObject): string {
    return encodeStored(this.#resource.conversion === undefined ? object : this.#resource.conversion.toStored(object), this.#resource);
  }

  /** Notes that this is what was made of the object just now, so that it need not be read again. */
  remember(stored: Stored, object: JsonObject): void {
    if (!this.#isStoredAsIs)
      this.#texts.set(stored, this.#resource.conversion === undefined ? stored.value : encodeStored(object, this.#resource));
  }

  /** The whole object. A deleted one has the revision of its deletion. */
  text(stored: Stored, revision: Revision = stored.modRevision): string {
    return this.#start + withVersion(this.#text(stored), revision).slice(1);
  }

  /** As it stands in a list: built-in kinds leave out there what they are. */
  itemText(stored: Stored): string {
    return this.#resource.isCustom ? this.text(stored) : withVersion(this.#text(stored), stored.modRevision);
  }

  /** The object, with its resourceVersion. */
  object(stored: Stored, revision: Revision = stored.modRevision): JsonObject {
    const { kind, isCustom, conversion, codec } = this.#resource;
    const value = decodeJson(stored.value);
    const { metadata, ...rest } = isJsonObject(value) ? value : {};
    const meta: JsonObject = { ...(isJsonObject(metadata) ? metadata : {}), resourceVersion: String(revision) };
    const object: JsonObject = { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata: meta, ...rest };
    if (conversion !== undefined) return conversion.fromStored(object);
    // The schema of today counts, whatever it was when this was written.
    return isCustom ? codec.decodeValue(object).object : object;
  }

  /** The same object each time, for those who only look, and often: at the namespace of what is written. Kept as long as it is stored. */
  shared(stored: Stored): DeepReadonly<JsonObject> {
    const known = this.#shared.get(stored);
    if (known !== undefined) return known;
    const object = this.object(stored);
    this.#shared.set(stored, object);
    return object;
  }

  /**
   * The object in protobuf, without an envelope; kept, so that those who list the same objects share the work. Custom
   * resources have no such form.
   */
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

/** The labels of an object, and those of its fields that a selector can name. */
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
