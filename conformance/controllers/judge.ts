/**
 * Plays a scene on two clusters until it is clear whether they do the same.
 *
 *     how to play it on ours and on theirs → judge → Comparison
 */
import { compare } from "./compare.ts";
import type { Comparison, Difference, Trajectory } from "./compare.ts";

/** Plays the scene once, in a namespace with this prefix. */
export type PlayOnce = (prefix: string) => Promise<Trajectory>;

export interface Judgement extends Comparison {
  /** Number of plays on each cluster. */
  readonly plays: number;
  /** The plays on the real parts. */
  readonly theirs: readonly Trajectory[];
}

export interface JudgeOptions {
  /** Maximum number of plays on each cluster; a difference may be random, and only more plays can tell. @default 4 */
  readonly playsMax?: number;
  /** Whether a difference is a known one, which needs no further plays. */
  readonly isKnown: (difference: Difference) => boolean;
}

export async function judge(playOurs: PlayOnce, playTheirs: PlayOnce, { playsMax = 4, isKnown }: JudgeOptions): Promise<Judgement> {
  const [ours, theirs]: [Trajectory[], Trajectory[]] = [[], []];
  for (;;) {
    const prefix = `play${ours.length + 1}`;
    const [mine, other] = await Promise.all([playOurs(prefix), playTheirs(prefix)]);
    ours.push(mine);
    theirs.push(other);
    const comparison = compare(ours, theirs);
    if (ours.length >= playsMax || comparison.differences.every(isKnown)) return { ...comparison, plays: ours.length, theirs };
  }
}
