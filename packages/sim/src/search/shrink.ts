/**
 * Makes a failing schedule smaller: takes decisions away, then makes delays shorter, as long as it fails in the same way.
 *
 *     decisions → shrink → the fewest decisions that were found to fail
 */

/** Options of `shrink`. */
export interface ShrinkOptions {
  /** Whether a schedule with these decisions fails in the same way. */
  readonly fails: (decisions: ReadonlyMap<string, number>) => Promise<boolean>;
  /** Maximum schedules to try. */
  readonly triesMax: number;
}

type Made = readonly (readonly [point: string, choice: number])[];

/** Resolves with a subset of `decisions` that fails; with all of them if nothing can be taken away. */
export async function shrink(
  decisions: ReadonlyMap<string, number>,
  { fails, triesMax }: ShrinkOptions,
): Promise<ReadonlyMap<string, number>> {
  const budget = { left: triesMax };
  const holds = async (candidate: Made): Promise<boolean> => budget.left-- > 0 && (await fails(new Map(candidate)));
  const fewest = await fewer([...decisions], holds);
  return new Map(await lower(fewest, holds));
}

/** Removes blocks of decisions, smaller and smaller ones. */
async function fewer(all: Made, holds: (candidate: Made) => Promise<boolean>): Promise<Made> {
  let kept = all;
  for (let size = Math.ceil(all.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    let from = 0;
    while (from < kept.length) {
      const candidate = [...kept.slice(0, from), ...kept.slice(from + size)];
      if (await holds(candidate)) kept = candidate;
      else from += size;
    }
  }
  return kept;
}

/** Lowers each choice as far as it still fails. */
async function lower(all: Made, holds: (candidate: Made) => Promise<boolean>): Promise<Made> {
  let kept = all;
  for (const [point, choice] of all) {
    for (let less = 1; less < choice; less++) {
      const candidate = kept.map((each): readonly [string, number] => (each[0] === point ? [point, less] : each));
      if (!(await holds(candidate))) continue;
      kept = candidate;
      break;
    }
  }
  return kept;
}
