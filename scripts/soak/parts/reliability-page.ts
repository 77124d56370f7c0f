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

/** Replaces the part between the markers. Throws if they are missing. */
export function withFigures(page: string, figures: readonly Figure[], conditions: Conditions): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/reliability.md has no "${begin}" followed by "${end}"`);
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
  return `${page.slice(0, from)}${begin}\n\n${table}\n\n${figureMarkdown(figures)}\n\n${page.slice(to)}`;
}
