/**
 * Compares two versions of an object and returns the changed fields, with readable paths.
 *
 *     before, after → fieldChanges → spec.template.spec.containers[name=app].image "a:1" → "a:2"
 */
import { getOwn, isJsonObject, jsonEqual } from "@drover/machinery";
import type { GroupKind, JsonObject, JsonValue } from "@drover/machinery";
import { keyedItems } from "./list-key.ts";
import type { FieldChange } from "./run-record.ts";
import { valueText } from "./value-text.ts";

/** Options of `fieldChanges`. */
export interface FieldChangesOptions {
  /** Kind of the objects; objects from lists do not contain it. @default the kind in the objects */
  readonly kind?: GroupKind;
  /** Maximum number of listed fields. @default 16 */
  readonly fieldsMax?: number;
}

/** The changed fields. */
export interface FieldChanges {
  readonly fields: readonly FieldChange[];
  /** Number of changed fields, including those not listed. */
  readonly count: number;
}

/**
 * Returns the fields that differ, in the order of the new object. Ignores fields that every write changes (resource version, generation,
 * managed fields). An object or list that was added or removed is one field. Values of Secrets are not shown.
 */
export function fieldChanges(before: unknown, after: unknown, { kind, fieldsMax = 16 }: FieldChangesOptions = {}): FieldChanges {
  const diff = new FieldDiff(isSecret(kind, after ?? before), fieldsMax);
  diff.compare(before as JsonValue, after as JsonValue, "", []);
  return { fields: diff.fields, count: diff.count };
}

function isSecret(kind: GroupKind | undefined, object: unknown): boolean {
  if (kind !== undefined) return kind.kind === "Secret" && kind.group === "";
  return isJsonObject(object as JsonValue) && getOwn(object as JsonObject, "kind") === "Secret";
}

const noise: ReadonlySet<string> = new Set(["managedFields", "resourceVersion", "generation", "selfLink"]);
/** Objects whose keys are data, not fields. */
const maps: ReadonlySet<string> = new Set([
  "labels",
  "annotations",
  "matchLabels",
  "nodeSelector",
  "data",
  "binaryData",
  "stringData",
  "limits",
  "requests",
  "hard",
  "used",
]);
const plainName = /^[A-Za-z_][\w-]*$/;

class FieldDiff {
  readonly fields: FieldChange[] = [];
  count = 0;
  readonly #isSecret: boolean;
  readonly #fieldsMax: number;

  constructor(isSecretObject: boolean, fieldsMax: number) {
    this.#isSecret = isSecretObject;
    this.#fieldsMax = fieldsMax;
  }

  compare(before: JsonValue | undefined, after: JsonValue | undefined, path: string, names: readonly string[]): void {
    if (before === after) return;
    if (isJsonObject(before) && isJsonObject(after)) this.#compareObjects(before, after, path, names);
    else if (Array.isArray(before) && Array.isArray(after)) this.#compareLists(before, after, path, names);
    else if (!jsonEqual(before, after)) this.#add(before, after, path, names);
  }

  #compareObjects(before: JsonObject, after: JsonObject, path: string, names: readonly string[]): void {
    const isNoise = (name: string): boolean => names.length === 1 && names[0] === "metadata" && noise.has(name);
    const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
    for (const name of [...Object.keys(after), ...gone]) {
      if (!isNoise(name)) this.compare(getOwn(before, name), getOwn(after, name), childPath(path, names.at(-1), name), [...names, name]);
    }
  }

  #compareLists(before: readonly JsonValue[], after: readonly JsonValue[], path: string, names: readonly string[]): void {
    const keyed = keyedItems(before, after);
    if (keyed !== undefined) {
      const known = this.count;
      for (const [key, { label, item }] of keyed.after)
        this.compare(keyed.before.get(key)?.item, item, `${path}[${label}]`, [...names, label]);
      for (const [key, { label, item }] of keyed.before)
        if (!keyed.after.has(key)) this.compare(item, undefined, `${path}[${label}]`, [...names, label]);
      // The same items in a different order.
      if (this.count === known && !jsonEqual([...keyed.before.keys()], [...keyed.after.keys()]))
        this.#add([...before], [...after], path, names);
    } else if (before.every(isJsonObject) && after.every(isJsonObject)) {
      for (let index = 0; index < Math.max(before.length, after.length); index++)
        this.compare(before[index], after[index], `${path}[${index}]`, [...names, ""]);
    } else if (!jsonEqual(before, after)) this.#add([...before], [...after], path, names);
  }

  #add(before: JsonValue | undefined, after: JsonValue | undefined, path: string, names: readonly string[]): void {
    this.count++;
    if (this.fields.length >= this.#fieldsMax) return;
    const place = { names, isSecret: this.#isSecret };
    this.fields.push({
      path,
      ...(before === undefined ? {} : { before: valueText(before, place) }),
      ...(after === undefined ? {} : { after: valueText(after, place) }),
    });
  }
}

function childPath(path: string, parent: string | undefined, name: string): string {
  if (path === "") return plainName.test(name) ? name : `[${name}]`;
  return plainName.test(name) && (parent === undefined || !maps.has(parent)) ? `${path}.${name}` : `${path}[${name}]`;
}
