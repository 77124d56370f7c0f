/** A reconcile must say what came of it, in one of four forms. Who writes without types may forget. */
import type { ObjectKey } from "@drover/machinery";
import type { Result } from "./result.ts";

/** What a reconcile returned is none of the four forms. Treated as a failure of the run. */
export class BadResultError extends Error {
  override readonly name = "BadResultError";

  constructor(about: { readonly controller: string; readonly key: ObjectKey; readonly result: unknown }) {
    super(
      `controller ${about.controller}: the reconcile of ${about.key} returned ${shown(about.result)}; it must return done, after(duration), retry(error) or stop(reason)`,
    );
  }
}

/** Whether this is one of the four forms, with numbers that a queue can reckon with. */
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
