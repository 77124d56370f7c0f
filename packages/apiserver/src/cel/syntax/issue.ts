/** What is wrong with an expression, and the server's way of showing where: the line, and a caret under the place. */

/** One thing that is wrong, and the index in the text where it is; -1 where there is no place to show. */
export interface CelIssue {
  readonly position: number;
  readonly message: string;
}

const issuesMax = 100;

/** All issues in the order of their places, each with the line it is about. */
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
