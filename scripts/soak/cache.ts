/**
 * The cache against a server that misbehaves at random, seed by seed; the last line says whether cache and server ever
 * differed.
 *
 *     npm run soak -- cache --seed 7 --events 1e6      one long run
 *     npm run soak -- cache --seeds 200                many short ones, seeds 1 to 200, 3,000 events each
 */
import { parseArgs } from "node:util";
import { soakCache } from "@drover/cache/testing";
import type { SoakReport } from "@drover/cache/testing";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { seed: { type: "string" }, seeds: { type: "string" }, events: { type: "string" } },
});

function wholeNumber(option: "seed" | "seeds" | "events", byDefault: number): number {
  const text = values[option];
  const number = text === undefined ? byDefault : Number(text);
  if (!Number.isSafeInteger(number) || number <= 0) {
    process.stderr.write(`--${option} must be a whole number above 0, not "${text}".\n`);
    process.exit(2);
  }
  return number;
}

const seeds = wholeNumber("seeds", 1);
const first = wholeNumber("seed", 1);
const events = wholeNumber("events", seeds === 1 ? 1_000_000 : 3000);

const began = performance.now();
const reports: SoakReport[] = [];
for (let seed = first; seed < first + seeds; seed++) {
  const report = await soakCache({ seed, events });
  reports.push(report);
  const { watches, lists, refused, compactions, restarts, convergedMs, differences } = report;
  process.stdout.write(
    `seed ${seed}: ${events} events, ${watches} watches, ${lists} lists, ${refused} old lines refused, ${compactions} compactions, ${restarts} restarts, equal ${convergedMs === undefined ? "never" : `${convergedMs / 1000} s after the last fault`}, ${differences.length} differences\n`,
  );
  for (const difference of differences.slice(0, 10)) process.stdout.write(`  ${difference}\n`);
  if (differences.length > 0) process.stdout.write(`  again: npm run soak -- cache --seed ${seed} --events ${events}\n`);
}

const sum = (count: (report: SoakReport) => number): number => reports.reduce((total, report) => total + count(report), 0);
const differing = reports.filter(({ differences }) => differences.length > 0);
process.stdout.write(
  `${reports.length} seeds, ${reports.length * events} events, ${sum(({ watches }) => watches)} watches, ${sum(({ lists }) => lists)} lists, ${sum(({ differences }) => differences.length)} differences in ${((performance.now() - began) / 1000).toFixed(0)} s\n`,
);
if (differing.length > 0) process.exitCode = 1;
