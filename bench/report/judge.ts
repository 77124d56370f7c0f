/** Goals: each is printed on a line, and one that does not hold makes the benchmark exit with 1. */

/** The condition for a figure. */
export interface Bound {
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** @param unit - what the figure is a multiple of: "× controller-runtime"; "" for a bare figure */
export function judge(what: string, found: number, unit: string, bound: Bound): void {
  const { atMost = Infinity, atLeast = 0 } = bound;
  const holds = found <= atMost && found >= atLeast;
  if (!holds) process.exitCode = 1;
  const figure = unit === "" ? String(found) : `${found.toFixed(2)} ${unit}`;
  process.stdout.write(
    `${holds ? "  holds " : "  FAILS "} ${what}: ${figure}, ${bound.atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`}\n`,
  );
}
