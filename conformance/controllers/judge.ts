/**
 * Has a scene played on two clusters until it is known whether they do the same.
 *
 *     how to play it on ours and on theirs → judge → Comparison
 */
import { compare } from "./compare.ts";
import type { Comparison, Difference, Trajectory } from "./compare.ts";

/** Plays the scene once more, in a namespace that begins with these words. */
export type PlayOnce = (prefix: string) => Promise<Trajectory>;

export interface Judgement extends Comparison {
  /** How often it was played on each. */
  readonly plays: number;
  /** Of the real parts, for whoever wants to look. */
  readonly theirs: readonly Trajectory[];
}

export interface JudgeOptions {
  /** How often it is played at most: a difference may be chance, and only more plays can tell. @default 4 */
  readonly playsMax?: number;
  /** Whether a difference is one that is known of, and needs no further plays. */
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
