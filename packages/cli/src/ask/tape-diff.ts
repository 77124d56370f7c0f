/**
 * Compares two tapes: for every object, the causes, writes and results of its runs, in order.
 *
 *     RunRecord[], RunRecord[] → tapeDiff → the first difference of each object → tapeDiffText → lines
 */
import type { RunRecord } from "@drover/controller";
import { oneLine } from "../terminal-text.ts";
import { runShape } from "./run-shape.ts";
import type { RunShape } from "./run-shape.ts";
import { wrapped } from "./text-table.ts";

/** The first run of an object that differs. */
export interface RunDifference {
  readonly controller: string;
  readonly key: string;
  /** Position of the run among those of the object, from 1. */
  readonly run: number;
  /** Number of runs of the object in each tape. */
  readonly runsInA: number;
  readonly runsInB: number;
  /** The run in each tape; absent if the tape has no such run. */
  readonly a?: RunShape;
  readonly b?: RunShape;
}

/** The answer of `drover tape diff`. */
export interface TapeDiff {
  /** Number of objects whose runs are the same. */
  readonly same: number;
  /** Sorted by controller and key. */
  readonly differences: readonly RunDifference[];
}

/** Returns the differences. Runs of an object are compared in the order in which they ended. */
export function tapeDiff(a: readonly RunRecord[], b: readonly RunRecord[]): TapeDiff {
  const [inA, inB] = [byObject(a), byObject(b)];
  const names = [...new Set([...inA.keys(), ...inB.keys()])].toSorted();
  const differences = names.flatMap((name) => difference(inA.get(name) ?? [], inB.get(name) ?? []) ?? []);
  return { same: names.length - differences.length, differences };
}

function byObject(runs: readonly RunRecord[]): ReadonlyMap<string, readonly RunRecord[]> {
  const found = new Map<string, RunRecord[]>();
  for (const run of runs) {
    const name = `${run.controller}\n${run.key}`;
    const known = found.get(name);
    if (known === undefined) found.set(name, [run]);
    else known.push(run);
  }
  return found;
}

function difference(a: readonly RunRecord[], b: readonly RunRecord[]): RunDifference | undefined {
  const [first] = [...a, ...b];
  if (first === undefined) return undefined;
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [left, right] = [a[index], b[index]];
    const [shapeA, shapeB] = [left && runShape(left), right && runShape(right)];
    if (JSON.stringify(shapeA) === JSON.stringify(shapeB)) continue;
    return {
      controller: first.controller,
      key: first.key,
      run: index + 1,
      runsInA: a.length,
      runsInB: b.length,
      ...(shapeA === undefined ? {} : { a: shapeA }),
      ...(shapeB === undefined ? {} : { b: shapeB }),
    };
  }
  return undefined;
}

/** Returns lines of 80 columns. */
export function tapeDiffText({ same, differences }: TapeDiff): readonly string[] {
  return [
    ...differences.flatMap(differenceText),
    `${count(same, "object has", "objects have")} the same runs, ${count(differences.length, "differs", "differ")}.`,
  ];
}

function differenceText({ controller, key, run, runsInA, runsInB, a, b }: RunDifference): readonly string[] {
  const head = `${oneLine(key)} in ${oneLine(controller)}: run ${run}`;
  const counts = `A has ${count(runsInA, "run", "runs")}, B has ${runsInB}`;
  const [only, where] = a === undefined ? [b, "B"] : [a, "A"];
  if (a === undefined || b === undefined)
    return [...wrapped(`${head} is only in ${where} (${counts})`), ...(only === undefined ? [] : shapeText(only))];
  return [
    ...wrapped(`${head} differs (${counts})`),
    ...sides("because", a.because, b.because),
    ...sides("did", a.did, b.did),
    ...sides("result", [a.result], [b.result]),
  ];
}

const titled = (title: string, text: string): readonly string[] => wrapped(`    ${title.padEnd(9)}${oneLine(text)}`);

const shapeText = ({ because, did, result }: RunShape): readonly string[] => [
  ...because.flatMap((each) => titled("because", each)),
  ...did.flatMap((each) => titled("did", each)),
  ...titled("result", result),
];

/** Returns what only one of them has; nothing if they are the same. */
function sides(title: string, a: readonly string[], b: readonly string[]): readonly string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  const [onlyA, onlyB] = [a.filter((each) => !b.includes(each)), b.filter((each) => !a.includes(each))];
  if (onlyA.length + onlyB.length === 0) return titled(title, "the same, in another order or number");
  const told = (where: string, only: readonly string[]): readonly string[] =>
    (only.length === 0 ? ["nothing else"] : only).flatMap((each) => titled(title, `${where}: ${each}`));
  return [...told("A", onlyA), ...told("B", onlyB)];
}

const count = (number: number, one: string, several: string): string => `${number} ${number === 1 ? one : several}`;
