/** Compares what two servers answered to the same probe, and says the differences in words. */
import type { JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import type { Exchange } from "./exchange.ts";

export interface Difference {
  /** "2 GET /api/v1/nodes: body.items[0].spec" */
  readonly at: string;
  /** What the real server answers; undefined where it says nothing. */
  readonly expected: JsonValue | undefined;
  readonly actual: JsonValue | undefined;
}

/** Every difference, in the order of the steps; none means equal. The order of keys is none. */
export function compare(expected: readonly Exchange[], actual: readonly Exchange[]): Difference[] {
  return Array.from({ length: Math.max(expected.length, actual.length) }, (_, index) => {
    const [wanted, got] = [expected[index], actual[index]];
    const step = wanted ?? got;
    const title = step === undefined ? "" : "fact" in step ? step.fact : step.request;
    return within(wanted as unknown as JsonValue | undefined, got as unknown as JsonValue | undefined, "").map((difference) => ({
      ...difference,
      at: `${index + 1} ${title}: ${difference.at.replace(/^\./, "")}`,
    }));
  }).flat();
}

function within(expected: JsonValue | undefined, actual: JsonValue | undefined, at: string): Difference[] {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return Array.from({ length: Math.max(expected.length, actual.length) }, (_, index) =>
      within(expected[index], actual[index], `${at}[${index}]`),
    ).flat();
  }
  if (isJsonObject(expected) && isJsonObject(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].toSorted();
    return keys.flatMap((key) => within(own(expected, key), own(actual, key), `${at}.${key}`));
  }
  return expected === actual ? [] : [{ at, expected, actual }];
}

const own = (value: Readonly<Record<string, JsonValue>>, key: string): JsonValue | undefined =>
  Object.hasOwn(value, key) ? value[key] : undefined;

const shownMax = 600;

/** For people: one difference, three lines. */
export function printDifference({ at, expected, actual }: Difference): string {
  const shown = (value: JsonValue | undefined): string => {
    const text = value === undefined ? "nothing" : JSON.stringify(value);
    return text.length > shownMax ? `${text.slice(0, shownMax)}… (${text.length} characters)` : text;
  };
  return `  ${at}\n    real ${shown(expected)}\n    ours ${shown(actual)}`;
}
