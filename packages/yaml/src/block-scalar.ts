/** Block scalars: `|` keeps lines, `>` folds them. They end where the indentation does. */
import { isBlank, isBreak, isBreakOrEnd, isDigit } from "./cursor.ts";
import type { Cursor } from "./cursor.ts";

const greater = 0x3e;
const plus = 0x2b;
const minus = 0x2d;
const space = 0x20;
const tab = 0x09;

/** Line breaks at the end: keep one, all, or none. */
type Chomping = "clip" | "keep" | "strip";

/** @param parentIndent - indentation of the enclosing block; −1 at the top level */
export function scanBlockScalar(cursor: Cursor, parentIndent: number): string {
  const folded = cursor.code() === greater;
  cursor.at++;
  const { chomping, increment } = scanHeader(cursor);
  let indent = increment === 0 ? 0 : Math.max(parentIndent, 0) + increment;
  let breaks = "";
  ({ indent, breaks } = scanIndentation(cursor, indent, parentIndent));

  let text = "";
  let lineBreak = "";
  let leadingBlank = false;
  while (cursor.column === indent && cursor.code() !== 0) {
    const startsBlank = isBlank(cursor.code());
    // A break between two text lines folds into a space; one next to an indented line stays.
    if (folded && !leadingBlank && !startsBlank && lineBreak === "\n") text += breaks === "" ? " " : "";
    else text += lineBreak;
    text += breaks;
    leadingBlank = startsBlank;
    const start = cursor.at;
    while (!isBreakOrEnd(cursor.code())) cursor.at++;
    text += cursor.text.slice(start, cursor.at);
    lineBreak = isBreak(cursor.code()) ? cursor.skipLine() : "";
    ({ breaks } = scanIndentation(cursor, indent, parentIndent));
  }
  if (chomping === "strip") return text;
  return chomping === "keep" ? text + lineBreak + breaks : text + lineBreak;
}

/** Reads the indicators after `|` or `>` in any order, a comment, and the end of the line. */
function scanHeader(cursor: Cursor): { chomping: Chomping; increment: number } {
  let chomping: Chomping = "clip";
  let increment = 0;
  const scanChomping = (): boolean => {
    const code = cursor.code();
    if (code !== plus && code !== minus) return false;
    chomping = code === plus ? "keep" : "strip";
    cursor.at++;
    return true;
  };
  const scanIncrement = (): void => {
    if (!isDigit(cursor.code())) return;
    increment = cursor.code() - 0x30;
    if (increment === 0) throw cursor.error("found an indentation indicator equal to 0");
    cursor.at++;
  };
  if (scanChomping()) {
    scanIncrement();
  } else {
    scanIncrement();
    if (increment > 0) scanChomping();
  }
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.code())) throw cursor.error("did not find expected comment or line break");
  if (isBreak(cursor.code())) cursor.skipLine();
  return { chomping, increment };
}

/** Reads indentation and empty lines. An indent of 0 means unknown: the first text line sets it. */
function scanIndentation(cursor: Cursor, known: number, parentIndent: number): { indent: number; breaks: string } {
  let breaks = "";
  let widest = 0;
  const inIndentation = (): boolean => known === 0 || cursor.column < known;
  for (;;) {
    while (inIndentation() && cursor.code() === space) cursor.at++;
    widest = Math.max(widest, cursor.column);
    if (inIndentation() && cursor.code() === tab) throw cursor.error("found a tab character where an indentation space is expected");
    if (!isBreak(cursor.code())) return { indent: known === 0 ? Math.max(widest, parentIndent + 1, 1) : known, breaks };
    breaks += cursor.skipLine();
  }
}
