/**
 * The table at the end of a run: how many scenes went the same way, chapter by chapter, and the facts on which our own
 * plays disagreed.
 *
 *     judgements by scene → printReport → text
 */
import { printDisagreement } from "./compare.ts";
import type { Judgement } from "./judge.ts";
import { explanationOf } from "./known-differences.ts";
import type { Scene } from "./scene.ts";
import type { Chapter } from "./scenes.ts";

const columns = ["scenes", "the same", "known to differ", "different", "facts", "chance", "ours vary", "plays"] as const;

/** Chapters without a played scene are left out. */
export function printReport(chapters: readonly Chapter[], judgements: ReadonlyMap<Scene, Judgement>): string {
  const rows = chapters.flatMap(({ name, scenes }) => {
    const played = scenes.flatMap((scene) => (judgements.has(scene) ? [{ scene, judgement: judgements.get(scene) as Judgement }] : []));
    return played.length === 0 ? [] : [{ name, numbers: numbersOf(played) }];
  });
  const totals = columns.map((_, index) => rows.reduce((sum, { numbers }) => sum + (numbers[index] ?? 0), 0));
  const width = Math.max(...rows.map(({ name }) => name.length), 5);
  const line = (name: string, cells: readonly (string | number)[]): string =>
    [name.padEnd(width), ...cells.map((cell, index) => String(cell).padStart((columns[index] ?? "").length))].join("  ");
  const varying = [...judgements].flatMap(([{ name }, { disagreements }]) =>
    disagreements.map((each) => `${name}: ${printDisagreement(each)}`),
  );
  return [
    line("", columns),
    ...rows.map(({ name, numbers }) => line(name, numbers)),
    line("all", totals),
    ...(varying.length === 0 ? [] : ["", "our own plays disagree:", ...varying]),
  ].join("\n");
}

interface Played {
  readonly scene: Scene;
  readonly judgement: Judgement;
}

function numbersOf(played: readonly Played[]): readonly number[] {
  const isSame = ({ judgement }: Played): boolean => judgement.differences.length === 0;
  const isKnown = ({ scene, judgement }: Played): boolean =>
    judgement.differences.every((difference) => explanationOf(scene, difference) !== undefined);
  const same = played.filter(isSame).length;
  const known = played.filter((each) => !isSame(each) && isKnown(each)).length;
  const sum = (of: (judgement: Judgement) => number): number => played.reduce((total, { judgement }) => total + of(judgement), 0);
  return [
    played.length,
    same,
    known,
    played.length - same - known,
    sum(({ facts }) => facts),
    sum(({ chances }) => chances),
    sum(({ disagreements }) => disagreements.length),
    sum(({ plays }) => plays),
  ];
}
