/**
 * Label selectors in API objects: `spec.selector` of a Deployment, a NetworkPolicy, a webhook.
 *
 *     LabelSelector ⇄ Selector ⇄ text
 */
import { compareBytes } from "../go/byte-text.ts";
import { quoteGo } from "../go/go-quote.ts";
import { setOwn } from "../json/own.ts";
import type { DeepReadonly } from "../json/readonly.ts";
import { parseSelector } from "./parse-selector.ts";
import { newRequirement } from "./requirement.ts";
import type { Requirement, RequirementOperator } from "./requirement.ts";
import { everything, nothing, Selector } from "./selector.ts";
import { SelectorError } from "./selector-error.ts";

/** How a label relates to the values. */
export type LabelSelectorOperator = "In" | "NotIn" | "Exists" | "DoesNotExist";

/** One condition on one label. */
export interface LabelSelectorRequirement {
  key: string;
  operator: LabelSelectorOperator;
  /** At least one for In and NotIn, none for Exists and DoesNotExist. */
  values?: string[];
}

/** Selects objects by labels that match all of it. An absent selector selects nothing; an empty one selects everything. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

const pairs: readonly (readonly [LabelSelectorOperator, RequirementOperator])[] = [
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
];
const operators: ReadonlyMap<string, RequirementOperator> = new Map(pairs);
const operatorNames: ReadonlyMap<RequirementOperator, LabelSelectorOperator> = new Map(pairs.map(([name, operator]) => [operator, name]));

/** Converts an API selector for matching. Throws a {@link SelectorError} with the server's message. */
export function selectorFromLabelSelector(selector: DeepReadonly<LabelSelector> | null | undefined): Selector {
  if (selector === undefined || selector === null) return nothing;
  const labels = Object.entries(selector.matchLabels ?? {}).toSorted(([a], [b]) => compareBytes(a, b));
  const expressions = selector.matchExpressions ?? [];
  if (labels.length + expressions.length === 0) return everything;
  return new Selector([...labels.map(([key, value]) => newRequirement(key, "=", [value])), ...expressions.map(requirementFrom)]);
}

/**
 * Converts to an API selector; undefined for the one that matches nothing. Throws a {@link SelectorError} for `!=`, `>` and `<`,
 * which it cannot express.
 */
export function labelSelectorFromSelector(selector: Selector): LabelSelector | undefined {
  if (selector.matchesNothing) return undefined;
  const matchLabels: Record<string, string> = {};
  const matchExpressions: LabelSelectorRequirement[] = [];
  for (const { key, operator, values } of selector.requirements) {
    const name = labelSelectorOperator(operator);
    if (name === "Equals") setOwn(matchLabels, key, values[0] ?? "");
    else
      matchExpressions.push({
        key,
        operator: name,
        ...(values.length === 0 ? {} : { values: [...new Set(values)].toSorted(compareBytes) }),
      });
  }
  return {
    ...(Object.keys(matchLabels).length === 0 ? {} : { matchLabels }),
    ...(matchExpressions.length === 0 ? {} : { matchExpressions }),
  };
}

/** Parses text to an API selector. Throws a {@link SelectorError} with client-go's message. */
export function parseToLabelSelector(text: string): LabelSelector {
  return labelSelectorFromSelector(parseText(text)) ?? {};
}

/** Prints an API selector for people: its text, `<none>` when it is empty or absent, `<error>` when it is invalid. */
export function formatLabelSelector(selector: DeepReadonly<LabelSelector> | null | undefined): string {
  try {
    return selectorFromLabelSelector(selector).toString() || "<none>";
  } catch (error) {
    if (error instanceof SelectorError) return "<error>";
    throw error;
  }
}

/** Returns the selector with one more label. With an empty key it is the same selector. Does not change its argument. */
export function cloneSelectorAndAddLabel(selector: DeepReadonly<LabelSelector>, key: string, value: string): DeepReadonly<LabelSelector> {
  if (key === "") return selector;
  const matchLabels: Record<string, string> = { ...selector.matchLabels };
  setOwn(matchLabels, key, value);
  return { ...selector, matchLabels };
}

function requirementFrom({ key, operator, values = [] }: DeepReadonly<LabelSelectorRequirement>): Requirement {
  const known = operators.get(operator);
  if (known === undefined) throw new SelectorError(`${quoteGo(operator)} is not a valid label selector operator`);
  return newRequirement(key, known, values.length === 0 ? undefined : values);
}

function labelSelectorOperator(operator: RequirementOperator): LabelSelectorOperator | "Equals" {
  if (operator === "=" || operator === "==") return "Equals";
  if (operator === "gt" || operator === "lt") throw new SelectorError(`${quoteGo(operator)} isn't supported in label selectors`);
  const name = operatorNames.get(operator);
  if (name === undefined) throw new SelectorError(`${quoteGo(operator)} is not a valid label selector operator`);
  return name;
}

function parseText(text: string): Selector {
  try {
    return parseSelector(text);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new SelectorError(`couldn't parse the selector string "${text}": ${error.message}`);
  }
}
