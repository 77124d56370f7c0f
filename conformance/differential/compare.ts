/** Compares the answers of two servers to the same probe and describes the differences. */
import type { JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import type { Exchange } from "./exchange.ts";

export interface Difference {
  /** "2 GET /api/v1/nodes: body.items[0].spec" */
  readonly at: string;
  /** The real server's value; undefined where it has none. */
  readonly expected: JsonValue | undefined;
  readonly actual: JsonValue | undefined;
}

/** Every difference, in the order of the steps; an empty list means equal. The order of keys does not matter. */
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

/** One difference in three lines. */
export function printDifference({ at, expected, actual }: Difference): string {
  const shown = (value: JsonValue | undefined): string => {
    const text = value === undefined ? "nothing" : JSON.stringify(value);
    return text.length > shownMax ? `${text.slice(0, shownMax)}… (${text.length} characters)` : text;
  };
  return `  ${at}\n    real ${shown(expected)}\n    ours ${shown(actual)}`;
}
