/**
 * What a reconcile or a cleanup answers with, in the short forms authors write, and the result that follows.
 *
 *     undefined | { after: "10m" } | Result → resultOf → Result
 */
import { after, done } from "@drover/controller";
import type { Result } from "@drover/controller";
import { durationMs } from "./duration.ts";
import type { Duration } from "./duration.ts";
import { MistakeError } from "./mistake-error.ts";

/** "Look again when this time has passed, though nothing may have happened." */
export interface AnswerAfter {
  readonly after: Duration;
}

/** Nothing more until something happens, look again later, or one of the controller layer's results. */
export type Answer = void | undefined | AnswerAfter | Result;

/** @param where - for errors: "controller of WebApp, reconcile" */
export function resultOf(answer: Answer, where: string): Result {
  if (answer === undefined) return done;
  // Whether it is one of the four is judged by the loop, which says so in its own words.
  if (typeof answer === "object" && answer !== null) {
    if ("after" in answer) return after(durationMs(answer.after, `${where}, after`));
    if ("type" in answer) return answer;
  }
  throw new MistakeError({
    where,
    what: `it answers with ${JSON.stringify(answer)?.slice(0, 80) ?? typeof answer}, which means nothing here`,
    fix: 'return nothing, { after: "10m" }, or one of done, after(…), retry(…), stop(…)',
  });
}
