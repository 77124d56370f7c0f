/**
 * The screen of `drover top`: status, rates and the keys with problems, cut to the size of a terminal.
 *
 *     TopView → topLines → lines        lines, size → frame → what the terminal is sent
 */
import type { DebugQueue, DebugStatus } from "@drover/controller";
import { formatTimeMillis } from "@drover/machinery";
import { oneLine } from "../terminal-text.ts";
import { queueText, statusHead } from "./answer-text.ts";
import type { RunRate } from "./run-rates.ts";
import { columns as widest, middleCut, textTable, wrapped } from "./text-table.ts";

/** What the screen shows. */
export interface TopView {
  readonly status: DebugStatus;
  readonly queue: DebugQueue;
  readonly rates: readonly RunRate[];
  /** Why the operator did not answer since; absent if it did. */
  readonly problem?: string;
}

/** A terminal in characters. */
export interface ScreenSize {
  readonly rows: number;
  readonly columns: number;
}

/** Returns the lines, without control characters. */
export function topLines({ status, queue, rates, problem }: TopView): readonly string[] {
  const rows = status.controllers.map(({ name, running, queued, waiting, failing, parked }) => {
    const rate = rates.find(({ controller }) => controller === name);
    return [
      name,
      ...[running, queued, waiting, failing, parked].map(String),
      rate === undefined ? "" : perSecond(rate.runsPerSecond),
      rate === undefined ? "" : perSecond(rate.failuresPerSecond),
      duration(rate?.tookMs),
      duration(rate?.waitedMs),
    ];
  });
  // Short, so that names have 22 columns.
  const titles = ["RUN", "QUEUE", "WAIT", "FAIL", "PARK", "RUN/S", "ERR/S", "TOOK", "WAITED"];
  return [
    `drover top  ${formatTimeMillis(status.at).slice(11, 19)} UTC  q ends`,
    ...(problem === undefined ? [] : wrapped(`  no answer since: ${oneLine(problem)}`)),
    ...statusHead(status),
    "",
    ...textTable([{ title: "CONTROLLER" }, ...titles.map((title) => ({ title, align: "right" as const }))], rows),
    "",
    ...queueText(queue),
  ];
}

/** Returns what redraws the whole screen, without flicker: every line is overwritten, and the rest is cleared. */
export function frame(lines: readonly string[], { rows, columns }: ScreenSize): string {
  const [width, height] = [Math.max(1, Math.min(columns, widest)), Math.max(1, rows)];
  const isCut = lines.length > height;
  const shown = isCut ? [...lines.slice(0, height - 1), `… ${lines.length - height + 1} more lines`] : lines;
  return `\u001b[H${shown.map((line) => `${middleCut(line, width)}\u001b[K`).join("\r\n")}\u001b[J`;
}

const perSecond = (rate: number): string => (rate >= 100 ? rate.toFixed(0) : rate.toFixed(1));
const duration = (ms: number | undefined): string =>
  ms === undefined ? "" : ms >= 10_000 ? `${(ms / 1000).toFixed(0)}s` : ms >= 1000 ? `${(ms / 1000).toFixed(1)}s` : `${ms.toFixed(0)}ms`;
