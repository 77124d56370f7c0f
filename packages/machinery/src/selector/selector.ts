/**
 * Label selectors for matching. API objects hold a `LabelSelector` (label-selector.ts), URLs hold text (parse-selector.ts); both
 * convert to a `Selector`.
 */
import { compareBytes } from "../go/byte-text.ts";
import { parseInt64 } from "./int64-text.ts";
import { newRequirement, printRequirement } from "./requirement.ts";
import type { Requirement } from "./requirement.ts";

/** Labels to match; undefined for an object without labels. */
export type Labels = Readonly<Record<string, string>>;

type Test = (labels: Labels) => boolean;

/**
 * A set of requirements, all of which must hold. Immutable; matching allocates nothing.
 *
 * Guarantees: requirements are sorted by key; those of one key keep their order.
 */
export class Selector {
  /** Every requirement; empty when everything matches, and when nothing does. */
  readonly requirements: readonly Requirement[];
  /** Whether it matches no labels at all. Does not detect contradictions (`a=b,a!=b`). */
  readonly matchesNothing: boolean;
  readonly #tests: readonly Test[];

  constructor(requirements: readonly Requirement[], { matchesNothing = false }: { readonly matchesNothing?: boolean } = {}) {
    this.requirements = Object.freeze(requirements.toSorted((a, b) => compareBytes(a.key, b.key)));
    this.matchesNothing = matchesNothing;
    this.#tests = matchesNothing ? [() => false] : this.requirements.map(testFor);
  }

  /** Whether all labels match. */
  get isEverything(): boolean {
    return !this.matchesNothing && this.requirements.length === 0;
  }

  /** Whether labels meet every requirement. Only own properties count, whatever their names. */
  matches(labels: Labels | undefined): boolean {
    for (const test of this.#tests) if (!test(labels ?? noLabels)) return false;
    return true;
  }

  /** Returns the only value that this label may have, if there is exactly one. Considers only the first requirement on the label. */
  requiresExactMatch(key: string): string | undefined {
    const first = this.requirements.find((requirement) => requirement.key === key);
    const exact = first?.operator === "=" || first?.operator === "==" || first?.operator === "in";
    return exact && first.values.length === 1 ? first.values[0] : undefined;
  }

  /** Returns this selector with more requirements. `nothing` stays `nothing`. */
  add(...requirements: readonly Requirement[]): Selector {
    return this.matchesNothing ? this : new Selector([...this.requirements, ...requirements]);
  }

  /**
   * The canonical text, which parses to an equal selector.
   *
   * Never send the text of a selector that {@link matchesNothing}: it is empty, like that of everything.
   */
  toString(): string {
    return this.requirements.map(printRequirement).join(",");
  }
}

/** Matches all labels. */
export const everything: Selector = new Selector([]);

/** Matches no labels, not even absent ones. */
export const nothing: Selector = new Selector([], { matchesNothing: true });

/** Matches objects with all these labels. No labels match everything. Does not validate. */
export function selectorFromSet(labels: Labels | undefined): Selector {
  return new Selector(Object.entries(labels ?? {}).map(([key, value]): Requirement => ({ key, operator: "=", values: [value] })));
}

/** Like {@link selectorFromSet}; throws a `SelectorError` about the first invalid label, by key. */
export function validatedSelectorFromSet(labels: Labels | undefined): Selector {
  const sorted = Object.entries(labels ?? {}).toSorted(([a], [b]) => compareBytes(a, b));
  return new Selector(sorted.map(([key, value]) => newRequirement(key, "=", [value])));
}

const noLabels: Labels = Object.freeze({});

// From this length on a set is faster than a list.
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
