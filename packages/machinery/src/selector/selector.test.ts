import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSelector } from "./parse-selector.ts";
import { newRequirement } from "./requirement.ts";
import type { Requirement } from "./requirement.ts";
import { everything, nothing, Selector, selectorFromSet, validatedSelectorFromSet } from "./selector.ts";
import type { Labels } from "./selector.ts";

const key = fc.constantFrom("a", "b", "x.io/c", "in", "constructor", "toString");
const value = fc.constantFrom("", "a", "b", "in", "1", "2", "10", "9007199254740993");
const labels: fc.Arbitrary<Labels> = fc.array(fc.tuple(key, value), { maxLength: 5 }).map((entries) => Object.fromEntries(entries));
const requirement: fc.Arbitrary<Requirement> = fc.oneof(
  fc.record({ key, operator: fc.constantFrom("=" as const, "==" as const, "!=" as const), values: value.map((only) => [only]) }),
  fc.record({ key, operator: fc.constantFrom("gt" as const, "lt" as const), values: fc.constantFrom(["1"], ["5"], ["9007199254740992"]) }),
  fc.record({
    key,
    operator: fc.constantFrom("in" as const, "notin" as const),
    values: fc.uniqueArray(value, { minLength: 1 }).map((values) => values.toSorted()),
  }),
  fc.record({ key, operator: fc.constantFrom("exists" as const, "!" as const), values: fc.constant([]) }),
);

/** The rules as one would say them, slowly. */
function holds({ key: name, operator, values }: Requirement, set: Labels): boolean {
  const entry = Object.entries(set).find(([label]) => label === name);
  if (operator === "!") return entry === undefined;
  if (operator === "!=" || operator === "notin") return entry === undefined || !values.includes(entry[1]);
  if (entry === undefined) return false;
  if (operator === "gt" || operator === "lt") {
    if (!/^[0-9]+$/.test(entry[1])) return false;
    const [left, right] = [BigInt(entry[1]), BigInt(values[0] ?? "0")];
    return operator === "gt" ? left > right : left < right;
  }
  return operator === "exists" || values.includes(entry[1]);
}

describe("Selector", () => {
  it("matches what a naive reading of its requirements matches", () => {
    fc.assert(
      fc.property(
        fc.array(requirement, { maxLength: 4 }),
        labels,
        (requirements, set) => new Selector(requirements).matches(set) === requirements.every((each) => holds(each, set)),
      ),
    );
  });

  it("round-trips through its text", () => {
    fc.assert(
      fc.property(fc.array(requirement, { maxLength: 4 }), (requirements) => {
        const selector = new Selector(requirements);
        expect(parseSelector(selector.toString()).requirements).toEqual(selector.requirements);
      }),
    );
  });

  it("considers own labels only", () => {
    expect(parseSelector("constructor").matches({})).toBe(false);
    expect(parseSelector("!toString").matches({})).toBe(true);
    const odd = JSON.parse('{"__proto__":"a"}') as Labels;
    expect([selectorFromSet(odd).matches(odd), selectorFromSet(odd).matches({})]).toEqual([true, false]);
    expect(parseSelector("app=web").matches(Object.create({ app: "web" }) as Labels)).toBe(false);
    expect(parseSelector("app!=web").matches(Object.create({ app: "web" }) as Labels)).toBe(true);
  });

  it("matches absent labels when it only excludes", () => {
    expect([
      parseSelector("a!=b").matches(undefined),
      parseSelector("a notin (b)").matches({}),
      parseSelector("a=b").matches(undefined),
      parseSelector("a>1").matches({}),
    ]).toEqual([true, true, false, false]);
  });

  it("compares numbers as numbers, to the last digit", () => {
    const matches = (text: string, age: string): boolean => parseSelector(text).matches({ age });
    expect([
      matches("age>9", "10"),
      matches("age>9", "9"),
      matches("age<9", "9"),
      matches("age<10", "9"),
      matches("age>9", "ten"),
      matches("age>9", "010"),
      matches("age<0", "-1"),
    ]).toEqual([true, false, false, true, false, true, true]);
    expect([matches("age>9007199254740992", "9007199254740993"), matches("age>9223372036854775806", "9223372036854775808")]).toEqual([
      true,
      false,
    ]);
  });

  it("sorts by key, and keeps the order within one key", () => {
    expect(parseSelector("b,a=2,c,a!=1,!a").toString()).toBe("a=2,a!=1,!a,b,c");
  });

  it("returns the only value a label may have", () => {
    const selector = parseSelector("a=1,b in (2),c in (3,4),d!=5,e,f==6,g=7,g!=8");
    expect(["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => selector.requiresExactMatch(name))).toEqual([
      "1",
      "2",
      undefined,
      undefined,
      undefined,
      "6",
      "7",
      undefined,
    ]);
    expect(parseSelector("a!=1,a=2").requiresExactMatch("a")).toBeUndefined();
  });

  it("grows by add, and nothing stays nothing", () => {
    const base = parseSelector("b");
    expect(base.add(newRequirement("a", "exists")).toString()).toBe("a,b");
    expect(base.toString()).toBe("b");
    expect(nothing.add(newRequirement("a", "exists"))).toBe(nothing);
  });

  it("distinguishes everything from nothing", () => {
    expect([everything.isEverything, everything.matchesNothing, everything.matches({}), everything.toString()]).toEqual([
      true,
      false,
      true,
      "",
    ]);
    expect([nothing.isEverything, nothing.matchesNothing, nothing.matches({}), nothing.toString(), nothing.requirements.length]).toEqual([
      false,
      true,
      false,
      "",
      0,
    ]);
  });

  it("is built from labels, validated or not", () => {
    expect(selectorFromSet({ b: "2", a: "not a value" }).toString()).toBe("a=not a value,b=2");
    expect(selectorFromSet(undefined).isEverything).toBe(true);
    expect(selectorFromSet(JSON.parse('{"__proto__":"x"}') as Labels).toString()).toBe("__proto__=x");
    expect(validatedSelectorFromSet({ b: "2", a: "1" }).toString()).toBe("a=1,b=2");
    expect(() => validatedSelectorFromSet({ b: "-", a: "?" })).toThrow('values[0][a]: Invalid value: "?"');
  });

  it("cannot be changed from outside", () => {
    const given: Requirement[] = [newRequirement("a", "exists")];
    const selector = new Selector(given);
    given.push(newRequirement("b", "exists"));
    expect(selector.toString()).toBe("a");
    expect(Object.isFrozen(selector.requirements)).toBe(true);
  });
});
