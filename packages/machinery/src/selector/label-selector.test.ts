import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cloneSelectorAndAddLabel,
  formatLabelSelector,
  labelSelectorFromSelector,
  parseToLabelSelector,
  selectorFromLabelSelector,
} from "./label-selector.ts";
import type { LabelSelector } from "./label-selector.ts";
import { parseSelector } from "./parse-selector.ts";
import { nothing } from "./selector.ts";
import { SelectorError } from "./selector-error.ts";

const deepFreeze = <T>(value: T): T => {
  if (typeof value === "object" && value !== null) for (const member of Object.values(Object.freeze(value))) deepFreeze(member);
  return value;
};

describe("LabelSelector", () => {
  it("selects nothing when absent and everything when empty", () => {
    expect(selectorFromLabelSelector(undefined)).toBe(nothing);
    expect(selectorFromLabelSelector(null)).toBe(nothing);
    expect(selectorFromLabelSelector({}).isEverything).toBe(true);
    expect(selectorFromLabelSelector({ matchLabels: {}, matchExpressions: [] }).isEverything).toBe(true);
  });

  it("requires all labels and all expressions", () => {
    const selector = selectorFromLabelSelector(
      deepFreeze<LabelSelector>({
        matchLabels: { app: "web" },
        matchExpressions: [
          { key: "tier", operator: "In", values: ["b", "a"] },
          { key: "env", operator: "NotIn", values: ["test"] },
          { key: "owner", operator: "Exists" },
          { key: "canary", operator: "DoesNotExist" },
        ],
      }),
    );
    expect(selector.toString()).toBe("app=web,!canary,env notin (test),owner,tier in (a,b)");
    expect(selector.matches({ app: "web", tier: "a", owner: "" })).toBe(true);
    expect(selector.matches({ app: "web", tier: "a", owner: "", canary: "" })).toBe(false);
  });

  it("reports what is wrong", () => {
    const convert = (expression: object): void => void selectorFromLabelSelector({ matchExpressions: [expression] } as LabelSelector);
    expect(() => convert({ key: "a", operator: "Gt", values: ["1"] })).toThrow(
      new SelectorError('"Gt" is not a valid label selector operator'),
    );
    expect(() => convert({ key: "a", operator: "In", values: [] })).toThrow(
      new SelectorError("values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"),
    );
    expect(() => convert({ key: "a", operator: "Exists", values: ["b"] })).toThrow(
      new SelectorError('values: Invalid value: ["b"]: values set must be empty for exists and does not exist'),
    );
  });

  it("is parsed from text, except for what it cannot express", () => {
    expect(parseToLabelSelector("a=1,b in (y,x),!c,d")).toEqual({
      matchLabels: { a: "1" },
      matchExpressions: [
        { key: "b", operator: "In", values: ["x", "y"] },
        { key: "c", operator: "DoesNotExist" },
        { key: "d", operator: "Exists" },
      ],
    });
    expect(parseToLabelSelector("")).toEqual({});
    expect(() => parseToLabelSelector("a>1")).toThrow(new SelectorError('"gt" isn\'t supported in label selectors'));
    expect(() => parseToLabelSelector("a!=1")).toThrow(new SelectorError('"!=" is not a valid label selector operator'));
    expect(() => parseToLabelSelector("a=1,")).toThrow(
      new SelectorError("couldn't parse the selector string \"a=1,\": found '', expected: identifier after ','"),
    );
    expect(labelSelectorFromSelector(nothing)).toBeUndefined();
  });

  it("prints for people", () => {
    expect([
      formatLabelSelector({ matchLabels: { a: "1" } }),
      formatLabelSelector({}),
      formatLabelSelector(undefined),
      formatLabelSelector({ matchLabels: { a: "?" } }),
    ]).toEqual(["a=1", "<none>", "<none>", "<error>"]);
  });

  it("gets one more label without being changed", () => {
    const selector = deepFreeze<LabelSelector>({ matchLabels: { a: "1" }, matchExpressions: [{ key: "b", operator: "Exists" }] });
    expect(cloneSelectorAndAddLabel(selector, "hash", "42")).toEqual({
      matchLabels: { a: "1", hash: "42" },
      matchExpressions: [{ key: "b", operator: "Exists" }],
    });
    expect(cloneSelectorAndAddLabel({}, "__proto__", "x").matchLabels).toEqual(JSON.parse('{"__proto__":"x"}'));
    expect(cloneSelectorAndAddLabel(selector, "", "42")).toBe(selector);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  it("converts to a Selector and back", () => {
    const key = fc.constantFrom("a", "b", "constructor");
    const expression = fc.oneof(
      fc.record({ key, operator: fc.constantFrom("In", "NotIn"), values: fc.uniqueArray(fc.constantFrom("", "x", "y"), { minLength: 1 }) }),
      fc.record({ key, operator: fc.constantFrom("Exists", "DoesNotExist") }),
    );
    fc.assert(
      fc.property(
        fc.record({ matchLabels: fc.dictionary(key, fc.constantFrom("", "x")), matchExpressions: fc.array(expression, { maxLength: 3 }) }),
        (given) => {
          const selector = selectorFromLabelSelector(given);
          expect(selectorFromLabelSelector(labelSelectorFromSelector(selector)).toString()).toBe(selector.toString());
          expect(parseSelector(selector.toString()).toString()).toBe(selector.toString());
        },
      ),
    );
  });
});
