/** The generated part of docs/reliability.md: figures, and under which conditions they were measured. */
import { figureMarkdown } from "./figure.ts";
import type { Figure } from "./figure.ts";

export interface Conditions {
  /** "2026-11-17 06:40 UTC" */
  readonly date: string;
  readonly commit: string;
  /** Processor, cores, memory, Node. */
  readonly machine: string;
  /** Load average before and after: more than the run itself causes means that other programs ran as well. */
  readonly load: string;
  readonly command: string;
}

const begin = "<!-- figures: written by npm run soak -- all --write -->";
const end = "<!-- end of figures -->";

const beginLong = "<!-- long runs: written by npm run soak -- NAME --write -->";
const endLong = "<!-- end of long runs -->";

/** Replaces the part between the markers. Throws if they are missing. */
export function withFigures(page: string, figures: readonly Figure[], conditions: Conditions): string {
  const { date, commit, machine, load, command } = conditions;
  const measured = figures.filter(({ verdict }) => verdict !== "open");
  const missed = measured.filter(({ verdict }) => verdict === "not held").length;
  const facts = [
    ["measured", `${date}, commit ${commit}`],
    ["command", `\`${command}\``],
    ["machine", machine],
    ["load average before and after", load],
    ["result", `${measured.length - missed} of ${measured.length} figures held`],
  ];
  const table = ["| | |", "|---|---|", ...facts.map(([name, value]) => `| ${name} | ${value} |`)].join("\n");
  return between(page, begin, end, () => `${table}\n\n${figureMarkdown(figures)}`);
}

/** Adds the figures of one soak to the table of long runs, in place of earlier ones of the same command. Throws without markers. */
export function withLongRun(page: string, figures: readonly Figure[], { date, commit }: Pick<Conditions, "date" | "commit">): string {
  return between(page, beginLong, endLong, (before) => {
    const [, , ...rows] = figureMarkdown(figures).split("\n");
    const commands = figures.map(({ command }) => `| \`${command}\` |`);
    const others = before.split("\n").filter((line) => /^\| \d/.test(line) && !commands.some((command) => line.includes(command)));
    const [titles = "", rule = ""] = figureMarkdown([]).split("\n");
    return [`${titles} measured on |`, `${rule}---|`, ...others, ...rows.map((row) => `${row} ${date}, commit ${commit} |`)].join("\n");
  });
}

function between(page: string, first: string, last: string, replace: (before: string) => string): string {
  const [from, to] = [page.indexOf(first), page.indexOf(last)];
  if (from === -1 || to < from) throw new Error(`docs/reliability.md has no "${first}" followed by "${last}"`);
  return `${page.slice(0, from)}${first}\n\n${replace(page.slice(from + first.length, to).trim())}\n\n${page.slice(to)}`;
}
