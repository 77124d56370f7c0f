/** Tables for terminals of 80 columns. */
import { oneLine } from "../terminal-text.ts";

/** Width of a terminal on which every line fits. */
export const columns = 80;
const gap = "  ";

/** A column: its title, and whether its values are numbers. */
export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
}

/** Returns lines of at most 80 characters: the widest column is cut in the middle, with "…", as far as necessary. */
export function textTable(titles: readonly Column[], rows: readonly (readonly string[])[]): readonly string[] {
  const cells = [titles.map(({ title }) => title), ...rows.map((row) => row.map((cell) => middleCut(oneLine(cell), columns)))];
  const widths = fittingWidths(titles.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0))));
  return cells.map((row) =>
    row
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        const text = middleCut(cell, width);
        return titles[index]?.align === "right" ? text.padStart(width) : text.padEnd(width);
      })
      .join(gap)
      .trimEnd(),
  );
}

/** Takes from the widest column, one character at a time, until the line fits. */
function fittingWidths(wanted: readonly number[]): readonly number[] {
  const widths = [...wanted];
  let excess = widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1)) - columns;
  for (; excess > 0; excess--) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** Returns the text, or its beginning and end around "…". */
export function middleCut(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = Math.ceil((max - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (max - 1 - head))}`;
}

/** Breaks a line at spaces into lines of at most 80 characters, the further ones indented as the text behind a title column. */
export function wrapped(line: string): readonly string[] {
  const [head = ""] = /^ *(?:\S+(?: \S+)? {2,}(?=\S))?/.exec(line) ?? [];
  const indent = " ".repeat(Math.min(head.length === 0 ? 4 : head.length, 16));
  const lines: string[] = [];
  let rest = line;
  while (rest.length > columns) {
    const at = rest.lastIndexOf(" ", columns);
    const end = at > indent.length + 8 ? at : columns;
    lines.push(rest.slice(0, end).trimEnd());
    rest = `${indent}${rest.slice(end).trimStart()}`;
  }
  return [...lines, rest];
}
