/**
 * Plays of one scene held against each other, fact by fact.
 *
 *     plays on ours, plays on the real parts → compare → differences → printDifference
 *
 * What the real parts do not do the same way every time is chance, and not compared. Everything else is: when all real
 * plays agree on a fact, a play of ours must agree with them.
 */
import type { TrajectoryStep } from "./trajectory.ts";

export type Trajectory = readonly TrajectoryStep[];

export interface Difference {
  readonly step: string;
  /** "end of Deployment web: spec.replicas" */
  readonly about: string;
  /** What each play of ours had; undefined where nothing of it was seen. */
  readonly ours: readonly (string | undefined)[];
  readonly theirs: string | undefined;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** How many facts were compared. */
  readonly facts: number;
  /** How many were left out, because the real plays do not agree on them. */
  readonly chances: number;
}

export function compare(ours: readonly Trajectory[], theirs: readonly Trajectory[]): Comparison {
  const differences: Difference[] = [];
  let [facts, chances] = [0, 0];
  for (let index = 0; index < Math.max(...[...ours, ...theirs].map(({ length }) => length)); index++) {
    const [mine, others] = [ours, theirs].map((plays) =>
      plays.map((play) => play[index]?.facts ?? new Map([["problem", "the step was not played"]])),
    ) as [Facts[], Facts[]];
    const step = [...theirs, ...ours].find((play) => play[index] !== undefined)?.[index]?.name ?? "";
    for (const about of new Set([...mine, ...others].flatMap((play) => [...play.keys()]))) {
      const wanted = new Set(others.map((play) => play.get(about)));
      const [only] = wanted;
      if (wanted.size > 1) {
        chances += 1;
        continue;
      }
      facts += 1;
      const seen = mine.map((play) => play.get(about));
      if (!seen.includes(only)) differences.push({ step, about, ours: [...new Set(seen)], theirs: only });
    }
  }
  return { differences, facts, chances };
}

type Facts = TrajectoryStep["facts"];

export function printDifference({ step, about, ours, theirs }: Difference): string {
  return [`in "${step}", ${about}`, ...ours.map((value) => `    ours    ${value ?? "nothing"}`), `    theirs  ${theirs ?? "nothing"}`].join(
    "\n",
  );
}
