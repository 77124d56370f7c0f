/**
 * Compares the plays of one scene, fact by fact.
 *
 *     plays on ours, plays on the real parts → compare → differences, disagreements → printDifference, printDisagreement
 *
 * A fact on which the real plays disagree is random and not compared. When all real plays agree on a fact, the majority
 * of our plays must agree with them; if the others do not, our own disagreement is reported.
 */
import type { TrajectoryStep } from "./trajectory.ts";

export type Trajectory = readonly TrajectoryStep[];

export interface Difference {
  readonly step: string;
  /** "end of Deployment web: spec.replicas" */
  readonly about: string;
  /** The values of our plays; undefined where the fact was not seen. */
  readonly ours: readonly (string | undefined)[];
  readonly theirs: string | undefined;
}

/** A fact on which the majority of our plays, but not all, agrees with the real parts. */
export interface Disagreement extends Difference {
  /** Number of our plays that agree with the real parts. */
  readonly matching: number;
  readonly plays: number;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** Facts on which the real plays agree and ours do not. */
  readonly disagreements: readonly Disagreement[];
  /** Number of compared facts. */
  readonly facts: number;
  /** Number of facts left out because the real plays disagree on them. */
  readonly chances: number;
}

export function compare(ours: readonly Trajectory[], theirs: readonly Trajectory[]): Comparison {
  const differences: Difference[] = [];
  const disagreements: Disagreement[] = [];
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
      const matching = seen.filter((value) => value === only).length;
      const difference: Difference = { step, about, ours: [...new Set(seen)], theirs: only };
      if (matching * 2 <= seen.length) differences.push(difference);
      else if (matching < seen.length) disagreements.push({ ...difference, matching, plays: seen.length });
    }
  }
  return { differences, disagreements, facts, chances };
}

type Facts = TrajectoryStep["facts"];

export function printDifference({ step, about, ours, theirs }: Difference): string {
  return [`in "${step}", ${about}`, ...ours.map((value) => `    ours    ${value ?? "nothing"}`), `    theirs  ${theirs ?? "nothing"}`].join(
    "\n",
  );
}

export const printDisagreement = ({ matching, plays, ...difference }: Disagreement): string =>
  `${printDifference(difference)}\n    ${matching} of ${plays} plays of ours agree with the real parts`;
