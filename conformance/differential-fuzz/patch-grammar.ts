/** Random patches, made from random members of an object: most paths they name exist, or existed. */
import { isJsonObject, pick, setOwn, shuffle } from "@drover/machinery";
import type { JsonObject, JsonValue, Random } from "@drover/machinery";
import { chance } from "./value-grammar.ts";

/** Percentage of members that are spoilt: by null, by a value of another type, or by an unknown neighbour. */
export interface Spoilage {
  readonly nulls: number;
  readonly types: number;
  readonly unknown: number;
}

/** A copy in which a few members are null, of a wrong type, or unknown. */
export function spoilt(random: Random, value: JsonValue, spoilage: Spoilage): JsonValue {
  if (Array.isArray(value)) return value.map((item) => spoilt(random, item, spoilage));
  if (!isJsonObject(value)) return chance(random, spoilage.types) ? pick<JsonValue>(random, [7, "odd", true, [], {}, 1.5]) : value;
  const copy: JsonObject = {};
  for (const [name, member] of Object.entries(value))
    setOwn(copy, name, chance(random, spoilage.nulls) && !isBytes(member) ? null : spoilt(random, member, spoilage));
  if (chance(random, spoilage.unknown))
    setOwn<JsonValue>(copy, pick(random, ["bogus", "Spec", "nameX"]), pick<JsonValue>(random, [1, "x", { a: 1 }, [], null]));
  return copy;
}

/**
 * Byte fields are never null: the real server stores null differently from how it writes it, so the next write without
 * a change creates a new version.
 */
const isBytes = (value: JsonValue): boolean => typeof value === "string" && /^[A-Za-z0-9+/]+=+$/.test(value);

/** A copy with directives of strategic merge patches in possible places. */
export function withDirectives(random: Random, value: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    if (Array.isArray(member)) addList(random, copy, name, member);
    else setOwn(copy, name, isJsonObject(member) ? withDirectives(random, member) : member);
  }
  if (chance(random, 5)) setOwn(copy, "$patch", pick(random, ["replace", "delete", "merge", "odd"]));
  if (chance(random, 5)) setOwn<JsonValue>(copy, "$retainKeys", shuffle(random, Object.keys(value)).slice(0, 1 + random.int(3)));
  return copy;
}

const mergeKeys = ["name", "containerPort", "port", "mountPath", "type", "ip", "uid", "key"] as const;

function addList(random: Random, copy: JsonObject, name: string, items: readonly JsonValue[]): void {
  const objects = items.filter(isJsonObject);
  if (objects.length < items.length || (items.length === 0 && name === "finalizers")) {
    if (chance(random, 30)) return setOwn<JsonValue>(copy, `$deleteFromPrimitiveList/${name}`, [...items]);
    if (chance(random, 20)) setOwn<JsonValue>(copy, `$setElementOrder/${name}`, shuffle(random, items));
    return setOwn<JsonValue>(copy, name, [...items]);
  }
  const keysOf = (item: JsonObject): JsonObject =>
    Object.fromEntries(
      mergeKeys
        .filter((key) => Object.hasOwn(item, key))
        .slice(0, 1)
        .map((key) => [key, item[key] ?? null]),
    );
  const changed: JsonValue[] = objects.map((item) =>
    chance(random, 20) ? { ...keysOf(item), $patch: pick(random, ["delete", "delete", "replace", "merge"]) } : withDirectives(random, item),
  );
  if (chance(random, 6)) changed.push({ $patch: "replace" });
  setOwn<JsonValue>(copy, name, changed);
  if (chance(random, 20))
    setOwn<JsonValue>(
      copy,
      `$setElementOrder/${name}`,
      shuffle(random, objects.map(keysOf)).slice(0, chance(random, 80) ? objects.length : 1),
    );
}

/** A JSON patch of up to three operations on or near the paths of these members. */
export function jsonPatchOf(random: Random, members: JsonObject): JsonValue {
  const places = placesIn(members, "");
  return Array.from({ length: 1 + random.int(3) }, (): JsonValue => {
    const [path, value] = places.length === 0 ? (["/metadata/labels", {}] as const) : pick(random, places);
    const where = chance(random, 15)
      ? `${path}/${pick(random, ["0", "-", "nope", "a/b", "~1"])}`
      : chance(random, 3)
        ? path.slice(1)
        : path;
    const op = pick(random, [
      "add",
      "add",
      "add",
      "replace",
      "replace",
      "remove",
      "test",
      "copy",
      "move",
      ...(chance(random, 5) ? ["odd"] : []),
    ]);
    if (op === "remove") return { op, path: where };
    if (op !== "copy" && op !== "move") return chance(random, 3) ? { op, path: where } : { op, path: where, value };
    return { op, path: where, from: places.length === 0 ? "/metadata/name" : pick(random, places)[0] };
  });
}

function placesIn(value: JsonValue, at: string): (readonly [path: string, value: JsonValue])[] {
  const inside = Array.isArray(value)
    ? value.map((item, index) => [String(index), item] as const)
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  const below = inside.flatMap(([key, member]) => placesIn(member, `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`));
  return at === "" ? below : [[at, value], ...below];
}
