/**
 * Return values of `reconcile` and `cleanup` in the short forms that authors write, and the `Result` they stand for.
 *
 *     undefined | { after: "10m" } | Result → resultOf → Result
 */
import { after, done } from "@drover/controller";
import type { Result } from "@drover/controller";
import { logValue } from "@drover/machinery";
import { durationMs } from "./duration.ts";
import type { Duration } from "./duration.ts";
import { MistakeError } from "./mistake-error.ts";

/** Requeues the key after this time. */
export interface AnswerAfter {
  readonly after: Duration;
}

/** Nothing (wait for the next event), requeue after a time, or a result of the controller package. */
export type Answer = void | undefined | AnswerAfter | Result;

/** Converts a return value to a `Result`. @param where - for errors: "controller of WebApp, reconcile" */
export function resultOf(answer: Answer, where: string): Result {
  if (answer === undefined) return done;
  // The reconcile loop rejects an unknown type.
  if (typeof answer === "object" && answer !== null) {
    if ("after" in answer) return after(durationMs(answer.after, `${where}, after`));
    if ("type" in answer) return answer;
  }
  throw new MistakeError({
    where,
    what: `it returns ${JSON.stringify(logValue(answer)).slice(0, 80)}, which is not a valid result`,
    fix: 'return nothing, { after: "10m" }, or one of done, after(…), retry(…), stop(…)',
  });
}
