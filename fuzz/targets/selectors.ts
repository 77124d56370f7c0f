/** Label and field selectors: printing is parsed back, and matching agrees with a plain evaluator. */
import {
  SelectorError,
  labelSelectorFromSelector,
  parseFieldSelector,
  parseSelector,
  parseToLabelSelector,
  selectorFromLabelSelector,
} from "@drover/machinery";
import type { Labels, Requirement, Selector } from "@drover/machinery";
import { attempt, equal, holds } from "../expect.ts";
import { textOf } from "../parts.ts";
import type { FuzzTarget } from "../target.ts";

export const selectorsTarget: FuzzTarget = {
  name: "selectors",
  perSecond: 5000,
  tokens: [
    "in",
    "notin",
    "in (a,b)",
    " notin (a)",
    "!=",
    "==",
    "=",
    ">",
    "<",
    "!",
    "(",
    ")",
    ",",
    "app",
    "a.b/c",
    "metadata.name",
    "\\,",
    "\\=",
    "5",
    "-1",
  ],
  run(input) {
    const text = textOf(input);
    labels(text);
    fields(text);
  },
};

const longText = 8192;

function labels(text: string): void {
  const parsed = attempt(() => parseSelector(text), SelectorError);
  const converted = attempt(() => parseToLabelSelector(text), SelectorError);
  if ("error" in parsed) {
    holds("error" in converted, "both forms reject the same texts");
    return;
  }
  const selector = parsed.value;
  const printed = selector.toString();
  const again = parseSelector(printed);
  holds(again.toString() === printed, "prints what it parsed", () => `${printed} becomes ${again.toString()}`);
  // A long selector is only parsed and printed: matching it here is many times the work.
  if (text.length > longText) return;
  for (const candidate of candidates(selector)) {
    const expected = selector.requirements.every((requirement) => meets(requirement, candidate));
    holds(selector.matches(candidate) === expected, "matches like a plain evaluator", () => JSON.stringify(candidate));
    holds(again.matches(candidate) === expected, "matches the same after printing", () => JSON.stringify(candidate));
    // As in client-go, the structured form keeps one value per key.
    if ("value" in converted && isDistinct(selector))
      holds(selectorFromLabelSelector(converted.value).matches(candidate) === expected, "the structured form matches the same");
  }
  const back = attempt(() => labelSelectorFromSelector(selector), SelectorError);
  if ("value" in back && "value" in converted) equal(back.value, converted.value, "converts text and selector alike");
}

const isDistinct = ({ requirements }: Selector): boolean => new Set(requirements.map(({ key }) => key)).size === requirements.length;

/** Labels at the edges of the requirements. */
function candidates(selector: Selector): readonly Labels[] {
  const sets: Record<string, string>[] = [{}, Object.create(null) as Record<string, string>];
  for (const { key, values } of selector.requirements.slice(0, 4))
    for (const value of [...values.slice(0, 3), "", "other", "5", "0"]) sets.push({ ...sets.at(-1), [key]: value });
  return sets;
}

function meets({ key, operator, values }: Requirement, set: Labels): boolean {
  const value = Object.entries(set).find(([name]) => name === key)?.[1];
  const order = (isRight: (left: bigint, right: bigint) => boolean): boolean => {
    const [left, right] = [int64(value), int64(values[0])];
    return left !== undefined && right !== undefined && isRight(left, right);
  };
  switch (operator) {
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case "=":
    case "==":
    case "in":
      return value !== undefined && values.includes(value);
    case "!=":
    case "notin":
      return value === undefined || !values.includes(value);
    case "gt":
      return order((left, right) => left > right);
    case "lt":
      return order((left, right) => left < right);
    default:
      return operator satisfies never;
  }
}

function int64(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[-+]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function fields(text: string): void {
  const parsed = attempt(() => parseFieldSelector(text), SelectorError);
  if ("error" in parsed) return;
  const selector = parsed.value;
  const printed = selector.toString();
  const again = attempt(() => parseFieldSelector(printed), SelectorError);
  holds("value" in again, "parses the field selector it prints", () => printed);
  const order = ({ field, operator, value }: { field: string; operator: string; value: string }): string => `${field}${operator}${value}`;
  equal(again.value.terms.map(order).toSorted(), selector.terms.map(order).toSorted(), "prints the field selector it parsed");
  const set = Object.fromEntries(selector.terms.slice(0, 3).map(({ field, value }) => [field, value]));
  const expected = selector.terms.every(({ field, operator, value }) => {
    const found = Object.entries(set).find(([name]) => name === field)?.[1] ?? "";
    return operator === "=" ? found === value : found !== value;
  });
  holds(selector.matches(set) === expected, "matches fields like a plain evaluator", () => JSON.stringify(set));
}
