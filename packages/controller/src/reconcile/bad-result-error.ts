/** Checks the return value of a reconcile function at run time, for callers without types. */
import { errorBrand } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import type { Result } from "./result.ts";

const brand = errorBrand<BadResultError>("BadResultError");

/** A reconcile function returned something that is not a `Result`. The run counts as failed. */
export class BadResultError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "BadResultError";

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

/** Reports whether the value is a `Result` with valid numbers. */
export function isResult(value: unknown): value is Result {
  if (typeof value !== "object" || value === null) return false;
  const { type, afterMs, priority, reason } = value as Readonly<Record<string, unknown>>;
  if (priority !== undefined && !Number.isFinite(priority)) return false;
  switch (type as Result["type"]) {
    case "done":
    case "retry":
      return true;
    case "after":
      return Number.isFinite(afterMs) && (afterMs as number) >= 0;
    case "stop":
      return typeof reason === "string";
    default:
      return false;
  }
}

function shown(value: unknown): string {
  if (typeof value !== "object" || value === null) return typeof value === "string" ? JSON.stringify(value.slice(0, 100)) : String(value);
  try {
    return (JSON.stringify(value) ?? "an object").slice(0, 100);
  } catch {
    return "an object";
  }
}
