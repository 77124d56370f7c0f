/** One question about how the program is doing, and the answers of many of them as the text that probes read. */
import { abortable } from "@drover/machinery";
import type { Log } from "@drover/machinery";

/**
 * All is well when it returns or resolves; what it throws says what is not. The signal is aborted when nobody waits for
 * the answer any more.
 */
export type HealthCheck = (signal: AbortSignal) => void | Promise<void>;

/** Checks by name. May change while it is in use. */
export type HealthChecks = ReadonlyMap<string, HealthCheck>;

/** How one check went. */
export interface CheckOutcome {
  readonly name: string;
  readonly result: "ok" | "excluded" | "failed";
  readonly error?: unknown;
}

export interface RunChecksOptions {
  /** Names that are not asked and count as well. */
  readonly exclude: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** Asks all at once; the outcomes are sorted by name. Where there is no check, "ping" stands for the fact that somebody answers. */
export async function runChecks(checks: HealthChecks, { exclude, signal }: RunChecksOptions): Promise<readonly CheckOutcome[]> {
  if (checks.size === 0) return [{ name: "ping", result: exclude.has("ping") ? "excluded" : "ok" }];
  const outcomes = [...checks].map(async ([name, check]): Promise<CheckOutcome> => {
    if (exclude.has(name)) return { name, result: "excluded" };
    const error = await failureOf(check, signal);
    return error === undefined ? { name, result: "ok" } : { name, result: "failed", error: error.error };
  });
  return (await Promise.all(outcomes)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What a check throws; undefined when all is well. One that never settles fails with the signal. */
export async function failureOf(check: HealthCheck, signal: AbortSignal): Promise<{ readonly error: unknown } | undefined> {
  try {
    await abortable(Promise.resolve(check(signal)), signal);
    return undefined;
  } catch (error) {
    return { error };
  }
}

/**
 * controller-runtime's text, to the letter, since people and scripts know it. It is public, so it does not say why a check failed: the log
 * does, and the check's own path.
 */
export function printOutcomes(outcomes: readonly CheckOutcome[], unknownExcludes: readonly string[]): string {
  const lines = outcomes.map(({ name, result }) =>
    result === "failed" ? `[-]${name} failed: reason withheld` : `[+]${name} ${result === "excluded" ? "excluded: ok" : "ok"}`,
  );
  if (unknownExcludes.length > 0)
    lines.push(
      `warn: some health checks cannot be excluded: no matches for ${unknownExcludes.map((name) => JSON.stringify(name)).join(",")}`,
    );
  lines.push(`healthz check ${outcomes.some(({ result }) => result === "failed") ? "failed" : "passed"}`);
  return `${lines.join("\n")}\n`;
}

/** Writes the reasons that the text withholds. */
export function logFailures(outcomes: readonly CheckOutcome[], log: Log, path: string): void {
  for (const { name, result, error } of outcomes) if (result === "failed") log.info("a health check failed", { path, check: name, error });
}
