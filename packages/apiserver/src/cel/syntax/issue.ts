/** Problems of an expression, printed as cel-go does: the source line with a caret below the position. */

/** A problem and its index in the text; -1 without a position. */
export interface CelIssue {
  readonly position: number;
  readonly message: string;
}

const issuesMax = 100;

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
  const line = text.slice(start, end < 0 ? text.length : end).replaceAll("\t", " ");
  const marked = Array.from(line.slice(0, position - start));
  const isWide = (char: string): boolean => (char.codePointAt(0) ?? 0) > 0x7f;
  const caret = isWide(line.slice(position - start)) ? "\uff3e" : "^";
  const place = `${before.split("\n").length}:${marked.length + 1}`;
  return `ERROR: <input>:${place}: ${message}\n | ${line}\n | ${marked.map((char) => (isWide(char) ? "\uff0e" : ".")).join("")}${caret}`;
}
