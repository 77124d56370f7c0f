/**
 * `drover explain`: prints what a code means, without a network.
 *
 *     "DRV0310" → explain → the page, exit code
 */
import { nearestCodes } from "./nearest-codes.ts";
import { listText, problemText } from "./problem-page.ts";
import { problemAreas, problems } from "./problems.ts";

/** Options of `drover explain`. */
export interface ExplainOptions {
  /** As typed: "DRV0310", "drv310", "[DRV0310]". @default all codes are listed */
  readonly code?: string;
  /** Whether to print JSON. */
  readonly json: boolean;
}

/** Output of the command. */
export interface ExplainPlace {
  readonly write: (text: string) => void;
  readonly warn: (message: string) => void;
}

/** Returns the exit code: 1 for a code that does not exist. */
export function explain({ code, json }: ExplainOptions, { write, warn }: ExplainPlace): number {
  const print = (lines: readonly string[]): void => write(lines.map((line) => `${line}\n`).join(""));
  if (code === undefined) {
    print(json ? [JSON.stringify({ problems })] : [...listText(problemAreas), "", "drover explain CODE prints the page of a code."]);
    return 0;
  }
  const wanted = completeCode(code);
  const found = problems.find((problem) => problem.code === wanted);
  if (found !== undefined) {
    print(json ? [JSON.stringify(found)] : problemText(found));
    return 0;
  }
  const near = nearestCodes(wanted, problems).map((problem) => `\n  ${problem.code}  ${problem.title}`);
  warn(`there is no code ${code.slice(0, 60)}; the nearest are${near.join("")}\ndrover explain lists all`);
  return 1;
}

/** "drv310" and "[DRV0310]" mean DRV0310. */
function completeCode(typed: string): string {
  const [, digits] = /^\[?(?:DRV)?(\d{1,4})\]?$/i.exec(typed) ?? [];
  return digits === undefined ? typed.toUpperCase() : `DRV${digits.padStart(4, "0")}`;
}
