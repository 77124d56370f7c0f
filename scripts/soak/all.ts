/**
 * Every figure that a soak measures, one after the other, as a table against the list of headline figures.
 *
 *     npm run soak -- all --for 10s             a smoke test, under two minutes
 *     npm run soak -- all --for 10m --write     about 35 minutes; writes docs/reliability.md
 *
 * `--for` is the time of each soak that has a duration; the others take a part of it. A soak that fails is a figure that is not held.
 */
import { cpus, loadavg, totalmem } from "node:os";
import { errorText } from "@drover/machinery";
import { measure as failover } from "./failover.ts";
import { measure as flat } from "./flat.ts";
import { measure as halfOpen } from "./half-open.ts";
import { measure as load } from "./load.ts";
import { measure as lostEvent } from "./lost-event.ts";
import { otherRows } from "./parts/other-rows.ts";
import type { Figure, Measure, SoakOptions } from "./parts/figure.ts";
import { withFigures } from "./parts/reliability-page.ts";
import { writePage } from "./parts/write-page.ts";
import { measure as relist } from "./relist.ts";
import { measure as restarts } from "./restarts.ts";
import { measure as stuckHandler } from "./stuck-handler.ts";

const soaks: readonly (readonly [name: string, row: number, measure: Measure])[] = [
  ["load", 6, load],
  ["restarts", 7, restarts],
  ["half-open", 8, halfOpen],
  ["failover", 9, failover],
  ["lost-event", 11, lostEvent],
  ["stuck-handler", 12, stuckHandler],
  ["flat", 13, flat],
  ["relist", 14, relist],
];

export const measure: Measure = async (options) => {
  const before = loadText();
  const figures: Figure[] = [...otherRows];
  for (const [name, row, soak] of soaks) figures.push(...(await soak(options).catch((error: unknown) => [failed(name, row, error)])));
  const ordered = figures.toSorted((a, b) => a.row - b.row);
  if (options.writes) write(ordered, options, before);
  return ordered;
};

function failed(name: string, row: number, error: unknown): Figure {
  return {
    row,
    name,
    target: "",
    measured: "",
    verdict: "not held",
    reason: `the soak failed: ${errorText(error)}`,
    command: `npm run soak -- ${name}`,
  };
}

function write(figures: readonly Figure[], { forMs }: SoakOptions, before: string): void {
  const { length: cores, 0: cpu } = cpus();
  const conditions = {
    machine: `${cores} cores (${cpu?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${process.platform}`,
    load: `${before}; ${loadText()}`,
    command: `npm run soak -- all --for ${forMs / 1000}s --write`,
  };
  writePage((page, when) => withFigures(page, figures, { ...conditions, ...when }));
}

function loadText(): string {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(", ");
}
