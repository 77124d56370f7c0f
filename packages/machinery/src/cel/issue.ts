/** Problems of an expression, printed as cel-go does: the source line with a caret below the position. */

import { byteLength } from "../go/byte-text.ts";

/** A problem and its index in the text; -1 without a position. */
export interface CelIssue {
  readonly position: number;
  readonly message: string;
}

const issuesMax = 100;
/** Bytes of the longest line that is printed with its issue. */
const lineBytesMax = 16_384;

/** Prints all issues by position, each with its source line. */
export function printIssues(text: string, issues: readonly CelIssue[]): string {
  const sorted = issues.slice(0, issuesMax).toSorted((a, b) => a.position - b.position);
  const more = issues.length > issuesMax ? [`${issues.length - issuesMax} more errors were truncated`] : [];
  return [...sorted.map((issue) => printIssue(text, issue)), ...more].join("\n");
}

function printIssue(text: string, { position, message }: CelIssue): string {
  if (position < 0) return `ERROR: <input>:-1:0: ${message}`;
  const before = text.slice(0, position);
  const start = before.lastIndexOf("\n") + 1;
  const end = text.indexOf("\n", start);
  const source = text.slice(start, end < 0 ? text.length : end);
  const column = codePoints(text, start, position) + 1;
  const head = `ERROR: <input>:${before.split("\n").length}:${column}: ${message}`;
  if (source.length > lineBytesMax || byteLength(source) > lineBytesMax) return head;
  const line = source.replaceAll("\t", " ");
  const marked = Array.from(line.slice(0, position - start));
  const isWide = (char: string): boolean => (char.codePointAt(0) ?? 0) > 0x7f;
  const caret = isWide(line.slice(position - start)) ? "\uff3e" : "^";
  return `${head}\n | ${line}\n | ${marked.map((char) => (isWide(char) ? "\uff0e" : ".")).join("")}${caret}`;
}

/** Counts code points, without copies of a long text. */
function codePoints(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}
