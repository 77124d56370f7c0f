/** Building blocks of random objects (world-kinds.ts): a `Grammar` makes another value at every call. */
import { pick, setOwn } from "@drover/machinery";
import type { JsonObject, JsonValue, Random } from "@drover/machinery";

/** Makes random values of one form. */
export type Grammar<T extends JsonValue = JsonValue> = (random: Random) => T;

/** True with this percentage. */
export const chance = (random: Random, hundredths: number): boolean => random.int(100) < hundredths;

/** One of a few values. */
export const oneOf =
  <T extends JsonValue>(...values: readonly T[]): Grammar<T> =>
  (random) =>
    pick(random, values);

/** A value of one of these grammars. */
export const anyOf =
  <T extends JsonValue>(...grammars: readonly Grammar<T>[]): Grammar<T> =>
  (random) =>
    pick(random, grammars)(random);

/** An object with some of these members, and all of `always`. */
export const some =
  (members: Readonly<Record<string, Grammar>>, always: Readonly<Record<string, Grammar>> = {}): Grammar<JsonObject> =>
  (random) => {
    const object: JsonObject = {};
    for (const [name, grammar] of Object.entries(always)) setOwn(object, name, grammar(random));
    for (const [name, grammar] of Object.entries(members)) if (chance(random, 35)) setOwn(object, name, grammar(random));
    return object;
  };

/** A list of up to three items. */
export const listOf =
  (item: Grammar): Grammar<JsonValue[]> =>
  (random) =>
    Array.from({ length: random.int(4) }, () => item(random));

/** Rarely a value of the grammar; otherwise an empty object. */
export const rarely =
  (grammar: Grammar<JsonObject>, hundredths = 10): Grammar<JsonObject> =>
  (random) =>
    chance(random, hundredths) ? grammar(random) : {};

/** The members of several objects; the last of a name wins. */
export const together =
  (...grammars: readonly Grammar<JsonObject>[]): Grammar<JsonObject> =>
  (random) =>
    Object.assign({}, ...grammars.map((grammar) => grammar(random))) as JsonObject;
