/** Runs health checks and prints their outcomes in the format that probes expect. */
import { abortable } from "@drover/machinery";
import type { Log } from "@drover/machinery";

/** Passes when it returns or resolves, fails with the error it throws. The signal aborts when the caller no longer waits. */
export type HealthCheck = (signal: AbortSignal) => void | Promise<void>;

/** Checks by name. The map may change while in use. */
export type HealthChecks = ReadonlyMap<string, HealthCheck>;

/** Outcome of one check. */
export interface CheckOutcome {
  readonly name: string;
  readonly result: "ok" | "excluded" | "failed";
  readonly error?: unknown;
}

export interface RunChecksOptions {
  /** Names of checks to skip; they count as passed. */
  readonly exclude: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** Runs all checks concurrently and returns the outcomes sorted by name. Without checks it reports a check "ping" that passes. */
export async function runChecks(checks: HealthChecks, { exclude, signal }: RunChecksOptions): Promise<readonly CheckOutcome[]> {
  if (checks.size === 0) return [{ name: "ping", result: exclude.has("ping") ? "excluded" : "ok" }];
  const outcomes = [...checks].map(async ([name, check]): Promise<CheckOutcome> => {
    if (exclude.has(name)) return { name, result: "excluded" };
    const error = await failureOf(check, signal);
    return error === undefined ? { name, result: "ok" } : { name, result: "failed", error: error.error };
  });
  return (await Promise.all(outcomes)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the error of a check, or undefined if it passes. A check that never settles fails when the signal aborts. */
export async function failureOf(check: HealthCheck, signal: AbortSignal): Promise<{ readonly error: unknown } | undefined> {
  try {
    await abortable(Promise.resolve(check(signal)), signal);
    return undefined;
  } catch (error) {
    return { error };
  }
}

/**
 * Returns exactly the text of controller-runtime, because people and scripts know it. The text is public, so it withholds the reason of a
 * failure; the log and the path of the single check give it.
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

/** Logs the reasons that the text withholds. */
export function logFailures(outcomes: readonly CheckOutcome[], log: Log, path: string): void {
  for (const { name, result, error } of outcomes) if (result === "failed") log.info("health check failed", { path, check: name, error });
}
