/** Index lists of Jobs: "1,3-5,7". */
import { quoteGo } from "@drover/machinery";

/** Inclusive. */
export type IndexInterval = readonly [from: number, to: number];

/** Returns the number of indexes, or the error. An empty text is an empty list. */
export function readIndexList(text: string, completions: number): number | string {
  let total = 0;
  let last = -1;
  for (const part of text === "" ? [] : text.split(",")) {
    const interval = readInterval(part, completions);
    if (typeof interval === "string") return interval;
    const [from, to] = interval;
    if (last >= from) return `non-increasing order, previous: ${last}, current: ${from}`;
    total += to - from + 1;
    last = to;
  }
  return total;
}

/** Returns the first index in both lists; malformed parts are skipped, because each list is validated on its own. */
export function sharedIndex(a: string, b: string, completions: number): number | undefined {
  const read = (text: string): IndexInterval[] =>
    (text === "" ? [] : text.split(",")).map((part) => readInterval(part, completions)).filter((interval) => typeof interval !== "string");
  const others = read(b);
  for (const [from, to] of read(a)) {
    const shared = others.find((other) => from <= other[1] && other[0] <= to);
    if (shared !== undefined) return Math.max(from, shared[0]);
  }
  return undefined;
}

function readInterval(text: string, completions: number): IndexInterval | string {
  const limits = text.split("-");
  if (limits.length > 2)
    return `the fragment ${quoteGo(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  const numbers: number[] = [];
  for (const limit of limits) {
    if (!/^\+?[0-9]+$/.test(limit)) return `cannot convert string to integer for index: ${quoteGo(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${quoteGo(limit)}`;
    numbers.push(Number(limit));
  }
  const [from = 0, to = from] = numbers;
  return limits.length === 2 && from >= to ? `non-increasing order, previous: ${from}, current: ${to}` : [from, to];
}
