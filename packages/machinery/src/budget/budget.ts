/**
 * A limit on memory, time or work. Every buffer, history and loop that a stranger can fill has one, declared beside the code that
 * keeps it; `docs/budgets.md` lists them all.
 *
 *     const historyBytes = budget({ name: "apiserver/store-history", limit: 64 * 2 ** 20, unit: "bytes", atLimit: "…" });
 *     new Allowance(historyBytes).spend(bytes)    throws BudgetExceededError before the work
 */

/** What a budget counts. */
export type BudgetUnit = "bytes" | "milliseconds" | "items" | "steps";

/** A declared limit. */
export interface Budget {
  /** Package and subject, such as "apiserver/store-history". It is the label of `drover_budget_exceeded_total`. */
  readonly name: string;
  /** The default. Options may set another one where the code allows it. */
  readonly limit: number;
  readonly unit: BudgetUnit;
  /** What happens when the limit is reached: one sentence, for the documentation. */
  readonly atLimit: string;
  /** Why reaching the limit is not counted in `drover_budget_exceeded_total`: one sentence. @default it is counted */
  readonly uncounted?: string;
}

/** Declares a budget. Throws for a limit that is not a positive number: such a budget would bound nothing. */
export function budget(declaration: Budget): Budget {
  const { name, limit } = declaration;
  if (!(limit > 0) || limit === Infinity) throw new RangeError(`budget ${name}: the limit must be a positive number, not ${limit}`);
  return Object.freeze({ ...declaration });
}

/** Returns an amount for people: "64 MiB", "300 s", "10,000 items". */
export function amountText(amount: number, unit: BudgetUnit): string {
  if (unit === "bytes") return bytesText(amount);
  if (unit === "milliseconds") return amount < 1000 ? `${grouped(amount)} ms` : `${grouped(amount / 1000)} s`;
  return `${grouped(amount)} ${unit}`;
}

function bytesText(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB"];
  let power = 0;
  while (power < units.length - 1 && bytes >= 1024 ** (power + 1)) power++;
  return `${grouped(bytes / 1024 ** power)} ${units[power]}`;
}

/** At most one decimal, thousands separated. */
function grouped(value: number): string {
  const [whole = "", decimals] = String(Math.round(value * 10) / 10).split(".");
  const separated = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return decimals === undefined ? separated : `${separated}.${decimals}`;
}
