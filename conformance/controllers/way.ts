/**
 * The path of one value through its versions: "0 → 3 → 2", without repetitions.
 *
 *     ["0", "1", "1", "3", "2"] → way("turns") → "0 → 3 → 2"
 */
import { passing } from "./facets.ts";
import type { WayPart } from "./facets.ts";

export function way(values: readonly string[], part: WayPart): string {
  const counting = values.filter((value, index) => value !== passing || index === values.length - 1);
  const stations = counting.filter((value, index) => index === 0 || value !== counting[index - 1]);
  if (part === "turns") return turns(stations).join(" → ");
  if (part === "peak") return peak(stations);
  return stations.join(" → ");
}

/** The first value, the last one, and those where the direction changes. Values that are not numbers are always kept. */
function turns(stations: readonly string[]): readonly string[] {
  const values = stations.map(Number);
  return stations.filter((_, index) => {
    const [before, here, after] = [values[index - 1], values[index], values[index + 1]];
    if (before === undefined || here === undefined || after === undefined || [before, here, after].some(Number.isNaN)) return true;
    return Math.sign(here - before) !== Math.sign(after - here);
  });
}

/** The end of the previous step shows where it began. */
function peak(stations: readonly string[]): string {
  return `${stations.at(-1) ?? ""}, at most ${Math.max(...stations.map(Number).filter((value) => !Number.isNaN(value)))}`;
}
