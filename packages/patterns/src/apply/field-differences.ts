/**
 * Compares the desired fields with the live object, by the merge rules of its kind. Ignores fields that others added,
 * except inside atomic lists and maps.
 *
 *     wanted, live, KindShape → FieldDifference[];   empty: nothing to write
 *
 * The server may store a value in another form (a default, an omitted zero), which shows up as a difference;
 * `ApplyMemory` limits the cost of that to one request.
 */
import { getOwn, isJsonObject, semanticEqual } from "@drover/machinery";
import type { JsonObject, JsonValue, ListType, MapType, MergeType, Schema } from "@drover/machinery";
import type { KindShape } from "./kind-shape.ts";

/** One field that differs. */
export interface FieldDifference {
  /** "spec.template.spec.containers[name=web].image", 'metadata.labels["app.kubernetes.io/name"]'. */
  readonly path: string;
  /** Undefined if the field is not desired but exists. */
  readonly wanted: JsonValue | undefined;
  readonly live: JsonValue | undefined;
}

/** Defaults that the server adds inside atomic values; no schema contains them. */
const filledIn: ReadonlyMap<string, readonly JsonValue[]> = new Map<string, readonly JsonValue[]>([
  ["apiVersion", ["v1"]],
  ["kind", ["PersistentVolumeClaim"]],
  ["divisor", ["0"]],
  ["expirationSeconds", [3600]],
  ["protocol", ["TCP"]],
  ["volumeMode", ["Filesystem"]],
  ["status", [{ phase: "Pending" }]],
  ["matchPolicy", ["Equivalent"]],
  ["apiGroup", ["", "rbac.authorization.k8s.io"]],
  ["scope", ["*"]],
]);

interface Place {
  readonly path: string;
  readonly schema: Schema | undefined;
  /** Whether the value is atomic, so that fields we did not write must not exist. */
  readonly isWhole: boolean;
}

/** Returns the differences in the order of the desired object's fields. */
export function fieldDifferences(wanted: JsonObject, live: JsonObject, { schema, type }: KindShape): readonly FieldDifference[] {
  return compare(wanted, live, type, { path: "", schema, isWhole: false });
}

function compare(wanted: JsonValue, live: JsonValue | undefined, type: MergeType | undefined, place: Place): readonly FieldDifference[] {
  if (wanted === live || (wanted === null && live === undefined)) return [];
  if (live === undefined || live === null)
    return semanticEqual(wanted, undefined, place.schema) ? [] : [difference(place, wanted, undefined)];
  if (isJsonObject(wanted) && isJsonObject(live)) return compareObjects(wanted, live, type?.map, place);
  if (Array.isArray(wanted) && Array.isArray(live)) return compareLists(wanted, live, type?.list, place);
  return semanticEqual(wanted, live, place.schema) ? [] : [difference(place, wanted, live)];
}

function compareObjects(wanted: JsonObject, live: JsonObject, map: MapType | undefined, place: Place): readonly FieldDifference[] {
  const isWhole = place.isWhole || map?.atomic === true;
  const found: FieldDifference[] = [];
  for (const name of Object.keys(wanted)) {
    const value = wanted[name];
    if (value === undefined) continue;
    const inner = { path: fieldPath(place.path, name), schema: fieldSchema(place.schema, name), isWhole };
    // A map entry exists or not, whatever its value.
    const isMissing =
      !Object.hasOwn(live, name) &&
      value !== null &&
      map !== undefined &&
      map.field(name) === undefined &&
      place.schema?.properties === undefined;
    found.push(
      ...(isMissing
        ? [difference(inner, value, undefined)]
        : compare(value, getOwn(live, name), map?.field(name)?.type ?? map?.entries(), inner)),
    );
  }
  if (!isWhole) return found;
  for (const name of Object.keys(live)) {
    if (Object.hasOwn(wanted, name)) continue;
    const value = live[name];
    const schema = fieldSchema(place.schema, name);
    if (value === undefined || isFilledIn(name, value, schema)) continue;
    found.push({ path: fieldPath(place.path, name), wanted: undefined, live: value });
  }
  return found;
}

function compareLists(
  wanted: readonly JsonValue[],
  live: readonly JsonValue[],
  list: ListType | undefined,
  place: Place,
): readonly FieldDifference[] {
  const items = { schema: place.schema?.items, type: list?.items() };
  if (list === undefined || list.atomic || place.isWhole) {
    if (wanted.length !== live.length) return [difference(place, [...wanted], [...live])];
    return wanted.flatMap((item, index) =>
      compare(item, live[index], items.type, { path: `${place.path}[${index}]`, schema: items.schema, isWhole: true }),
    );
  }
  if (list.keys.length === 0)
    return wanted
      .filter((item) => !live.some((other) => semanticEqual(item, other, items.schema)))
      .map((item) => difference(place, item, undefined));
  return wanted.flatMap((item) => {
    const key = keyOf(item, list);
    const inner = { path: `${place.path}[${key}]`, schema: items.schema, isWhole: false };
    const same = live.find((other) => keyOf(other, list) === key);
    return same === undefined ? [difference(inner, item, undefined)] : compare(item, same, items.type, inner);
  });
}

/** "name=web", "port=80,protocol=TCP". */
function keyOf(item: JsonValue, list: ListType): string {
  if (!isJsonObject(item)) return "";
  return list.keyNames.map((name) => `${name}=${keyText(getOwn(item, name) ?? list.items().map?.field(name)?.default ?? "")}`).join(",");
}

const keyText = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));

const difference = ({ path }: Place, wanted: JsonValue, live: JsonValue | undefined): FieldDifference => ({ path, wanted, live });

function isFilledIn(name: string, value: JsonValue, schema: Schema | undefined): boolean {
  if (semanticEqual(value, undefined, schema) || (schema?.default !== undefined && semanticEqual(value, schema.default, schema)))
    return true;
  return filledIn.get(name)?.some((known) => semanticEqual(known, value)) === true;
}

function fieldSchema(schema: Schema | undefined, name: string): Schema | undefined {
  const named = schema?.properties && getOwn(schema.properties, name);
  if (named !== undefined) return named;
  return typeof schema?.additionalProperties === "object" ? schema.additionalProperties : undefined;
}

/** Appends a field name to a path. */
export function fieldPath(path: string, name: string): string {
  if (!/^[A-Za-z0-9_$-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}
