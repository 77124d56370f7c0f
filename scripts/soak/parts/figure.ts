/** Figures of the soak runs: what was measured, against which target, and whether it held. */

/** "shortened": it held, for less time or fewer cases than the target names. "open": not measured here; `reason` says why or by what. */
export type Verdict = "held" | "shortened" | "not held" | "open";

export interface Figure {
  /** The row of the list of headline figures. */
  readonly row: number;
  readonly name: string;
  readonly target: string;
  /** With units; "" when the figure is open. */
  readonly measured: string;
  readonly verdict: Verdict;
  /** Why it did not hold, was shortened or is open. @default none */
  readonly reason?: string;
  readonly command: string;
}

/** What the figures of one file are measured with. */
export interface SoakOptions {
  /** How long one soak may take. */
  readonly forMs: number;
  readonly seed: number;
  /** Each @default by the figure, from `forMs` */
  readonly eventsPerSecond?: number;
  readonly faultsPerSecond?: number;
  readonly repetitions?: number;
  readonly histories?: number;
  /** Whether to write the figures into docs/reliability.md: those of `all` into its table, those of one soak into the long runs. */
  readonly writes: boolean;
  /** Reports what happens meanwhile. */
  readonly note: (line: string) => void;
}

export type Measure = (options: SoakOptions) => Promise<readonly Figure[]>;

/** @param isWhole - whether the run was as long as the target asks for */
export function verdictOf(holds: boolean, isWhole: boolean): Verdict {
  if (!holds) return "not held";
  return isWhole ? "held" : "shortened";
}

const verdictText: Readonly<Record<Verdict, string>> = {
  held: "held",
  shortened: "held, shortened",
  "not held": "NOT HELD",
  open: "–",
};

const titles = ["row", "figure", "target", "measured", "held", "command"] as const;

function cellsOf(figure: Figure): readonly string[] {
  const { row, name, target, measured, verdict, reason, command } = figure;
  const shown = [measured, reason].filter((text) => text !== undefined && text !== "").join("; ");
  return [String(row), name, target, shown, verdictText[verdict], command];
}

/** Prints the figures as columns for a terminal. */
export function figureTable(figures: readonly Figure[]): string {
  const rows = [titles, ...figures.map(cellsOf)];
  const widths = titles.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((cells) => `${line(cells).trimEnd()}\n`).join("");
}

/** Prints the figures as a Markdown table. */
export function figureMarkdown(figures: readonly Figure[]): string {
  const escaped = (cell: string): string => cell.replaceAll("|", "\\|");
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
  const rows = figures.map((figure) => {
    const cells = cellsOf(figure);
    return line([...cells.slice(0, -1), `\`${figure.command}\``]);
  });
  return [line(titles), `|${titles.map(() => "---").join("|")}|`, ...rows].join("\n");
}
