/** Checks the return value of a reconcile function at run time, for callers without types. */
import { errorBrand, errorText, logValue } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { done } from "./result.ts";
import type { Result } from "./result.ts";

const brand = errorBrand<BadResultError>("BadResultError");

/** A reconcile function returned something that is not a `Result`. The run counts as failed. */
export class BadResultError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "BadResultError";
  readonly problemCode = "DRV0411";

  constructor(about: { readonly controller: string; readonly key: ObjectKey; readonly result: unknown }) {
    super(
      `controller ${about.controller}: the reconcile of ${about.key} returned ${shown(about.result)}; it must return done, after(duration), retry(error) or stop(reason)`,
    );
  }
}

/** Reports whether an error is a `BadResultError`, of this or another copy of the package. */
export function isBadResultError(error: unknown): error is BadResultError {
  return brand.is(error);
}

/**
 * Returns the `Result` that a reconcile function returned, or undefined if the value is none. Never throws. Reads every field once and
 * returns a copy: a value of a user may answer differently the next time.
 */
export function readResult(value: unknown): Result | undefined {
  if (value === done) return done;
  if (typeof value !== "object" || value === null) return undefined;
  try {
    const { type, afterMs, priority, reason, error } = value as Readonly<Record<string, unknown>>;
    if (priority !== undefined && !isNumber(priority)) return undefined;
    const again = priority === undefined ? {} : { priority };
    switch (type as Result["type"]) {
      case "done":
        return done;
      case "retry":
        return { type: "retry", error, ...again };
      case "after":
        return isNumber(afterMs) && afterMs >= 0 ? { type: "after", afterMs, ...again } : undefined;
      case "stop":
        return typeof reason === "string" ? { type: "stop", reason: reason === "" ? "" : errorText(reason) } : undefined;
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 100));
  return (typeof value === "object" ? JSON.stringify(logValue(value)) : errorText(value)).slice(0, 100);
}
