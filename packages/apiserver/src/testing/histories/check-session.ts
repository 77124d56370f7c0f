/** Checks one watch session against every guarantee of a watch. */
import type { Violation, WatchSession } from "./history.ts";
import { checkSessionEnd } from "./session-end.ts";
import { sessionStarts } from "./session-start.ts";
import type { Truth } from "./truth.ts";
import { watchGuarantees } from "./watch-guarantees.ts";

export function checkSession(session: WatchSession, truth: Truth): readonly Violation[] {
  const violation =
    (check: string) =>
    (problem: string): Violation => ({ check, message: `${session.name}: ${problem}` });
  const explanations = sessionStarts(session, truth).map((start) =>
    Object.entries(watchGuarantees).flatMap(([name, guarantee]) => guarantee(session, start, truth).map(violation(name))),
  );
  const best = explanations.reduce<readonly Violation[] | undefined>(
    (least, next) => (least === undefined || next.length < least.length ? next : least),
    undefined,
  );
  return [
    ...checkSessionEnd(session).map(violation("end")),
    ...(best ?? [violation("start")("no beginning that was asked for explains what it was told")]),
  ];
}
