/**
 * Why an object was reconciled, what its runs did, what comes next, and why it is not reconciled.
 *
 *     askedObject → controllerObstacles, why → DebugWhy
 */
import { explain } from "../tape/explain.ts";
import { why } from "../tape/why.ts";
import type { Explanation } from "../tape/why.ts";
import { askedObject } from "./asked-object.ts";
import { controllerObstacles, unreconciled } from "./controller-obstacles.ts";
import type { DebugSubject } from "./debug-subject.ts";

/** The answer of /debug/drover/why. */
export interface DebugWhy {
  /** One explanation for each controller of the kind; one without a controller if there is none. */
  readonly explanations: readonly Explanation[];
  /** The same in lines. */
  readonly text: readonly string[];
}

/** Throws a `DebugProblem` for an unknown kind or controller. An object that does not exist is answered: it may have had runs. */
export function whyPage(subject: DebugSubject, query: URLSearchParams, runsMax: number): DebugWhy {
  const asked = askedObject(subject, query);
  const { kind, key, controllers } = asked;
  const tape = subject.tape ?? [];
  const names = { key, kind: { group: kind.group, kind: kind.kind }, runsMax };
  const explanations =
    controllers.length === 0
      ? [why(tape, { ...names, obstacles: [unreconciled(subject, asked)] })]
      : controllers.map((each) =>
          why(tape, {
            key,
            runsMax,
            controller: each.controller.name,
            inspector: each.controller,
            obstacles: controllerObstacles(subject, each, asked),
          }),
        );
  const told = explanations.map((explanation) => ({ ...explanation, at: subject.clock.now() }));
  const note = subject.tape === undefined ? ["The tape is off, so no earlier runs are known."] : [];
  return { explanations: told, text: [...told.flatMap((explanation) => explain({ ...explanation, kind: names.kind })), ...note] };
}
