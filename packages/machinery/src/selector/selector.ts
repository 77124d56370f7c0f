/**
 * Label selectors that are ready to match. What the API's objects hold is a `LabelSelector` (label-selector.ts); what URLs hold is text
 * (parse-selector.ts); both become a `Selector`.
 */
import { compareBytes } from "../go/byte-text.ts";
import { parseInt64 } from "./int64-text.ts";
import { newRequirement, printRequirement } from "./requirement.ts";
import type { Requirement } from "./requirement.ts";

/** Labels to be matched; an object without labels has none. */
export type Labels = Readonly<Record<string, string>>;

type Test = (labels: Labels) => boolean;

/**
 * A set of requirements, all of which must hold. Immutable; matching allocates nothing.
 *
 * Guarantees that requirements are in the order of their keys, and those of one key in the order in which they came.
 */
export class Selector {
  /** Every requirement; empty when everything matches, and when nothing does. */
  readonly requirements: readonly Requirement[];
  /** Whether it is the selector that matches no labels at all. A contradiction (`a=b,a!=b`) is not noticed. */
  readonly matchesNothing: boolean;
  readonly #tests: readonly Test[];

  constructor(requirements: readonly Requirement[], { matchesNothing = false }: { readonly matchesNothing?: boolean } = {}) {
    this.requirements = Object.freeze(requirements.toSorted((a, b) => compareBytes(a.key, b.key)));
    this.matchesNothing = matchesNothing;
    this.#tests = matchesNothing ? [() => false] : this.requirements.map(testFor);
  }

  /** Whether every set of labels matches. */
  get isEverything(): boolean {
    return !this.matchesNothing && this.requirements.length === 0;
  }

  /** Whether labels meet every requirement. Only labels that the object itself has count, whatever they are called. */
  matches(labels: Labels | undefined): boolean {
    for (const test of this.#tests) if (!test(labels ?? noLabels)) return false;
    return true;
  }

  /** The value that this label must have, when there is exactly one. Only the first requirement on the label is looked at. */
  requiresExactMatch(key: string): string | undefined {
    const first = this.requirements.find((requirement) => requirement.key === key);
    const exact = first?.operator === "=" || first?.operator === "==" || first?.operator === "in";
    return exact && first.values.length === 1 ? first.values[0] : undefined;
  }

  /** This selector with more requirements. Nothing stays nothing. */
  add(...requirements: readonly Requirement[]): Selector {
    return this.matchesNothing ? this : new Selector([...this.requirements, ...requirements]);
  }

  /**
   * The canonical text, which parses to an equal selector.
   *
   * Never send the text of a selector that {@link matchesNothing}: like that of everything it is empty.
   */
  toString(): string {
    return this.requirements.map(printRequirement).join(",");
  }
}

/** Matches all labels. */
export const everything: Selector = new Selector([]);

/** Matches no labels, not even none. */
export const nothing: Selector = new Selector([], { matchesNothing: true });

/** Matches objects that have all these labels. None asks for nothing, so everything matches. Nothing is checked. */
export function selectorFromSet(labels: Labels | undefined): Selector {
  return new Selector(Object.entries(labels ?? {}).map(([key, value]): Requirement => ({ key, operator: "=", values: [value] })));
}

/** Like {@link selectorFromSet}; throws a `SelectorError` about the first label, by key, that cannot exist. */
export function validatedSelectorFromSet(labels: Labels | undefined): Selector {
  const sorted = Object.entries(labels ?? {}).toSorted(([a], [b]) => compareBytes(a, b));
  return new Selector(sorted.map(([key, value]) => newRequirement(key, "=", [value])));
}

const noLabels: Labels = Object.freeze({});

// From here on a set is faster than a list.
const listMax = 8;

function testFor({ key, operator, values }: Requirement): Test {
  switch (operator) {
    case "exists":
      return (labels) => Object.hasOwn(labels, key);
    case "!":
      return (labels) => !Object.hasOwn(labels, key);
    case "=":
    case "==":
    case "in":
      return testIncluded(key, values);
    case "!=":
    case "notin": {
      const isIncluded = testIncluded(key, values);
      return (labels) => !isIncluded(labels);
    }
    case "gt":
    case "lt":
      return testOrder(key, operator, values);
    default:
      return () => false;
  }
}

function testIncluded(key: string, values: readonly string[]): Test {
  const [only] = values;
  if (values.length === 1) return (labels) => labels[key] === only && Object.hasOwn(labels, key);
  if (values.length <= listMax) return (labels) => Object.hasOwn(labels, key) && values.includes(labels[key] ?? "");
  const set = new Set(values);
  return (labels) => Object.hasOwn(labels, key) && set.has(labels[key] ?? "");
}

function testOrder(key: string, operator: "gt" | "lt", values: readonly string[]): Test {
  const limit = values.length === 1 ? parseInt64(values[0] ?? "") : undefined;
  if (limit === undefined) return () => false;
  return (labels) => {
    const value = Object.hasOwn(labels, key) ? parseInt64(labels[key] ?? "") : undefined;
    return value !== undefined && (operator === "gt" ? value > limit : value < limit);
  };
}
