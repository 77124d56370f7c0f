/** Indents JSON text without changing its numbers and escapes. */
export function indentJson(text: string): string {
  let result = "";
  let depth = 0;
  let at = 0;
  const line = (): string => `\n${"  ".repeat(depth)}`;
  while (at < text.length) {
    const char = text[at] as string;
    if (char === '"') {
      const end = endOfString(text, at);
      result += text.slice(at, end);
      at = end;
      continue;
    }
    at++;
    if (char === "{" || char === "[") {
      const close = text[at];
      if (close === "}" || close === "]") {
        result += char + close;
        at++;
      } else {
        depth++;
        result += char + line();
      }
    } else if (char === "}" || char === "]") {
      depth--;
      result += line() + char;
    } else if (char === ",") {
      result += char + line();
    } else {
      result += char === ":" ? ": " : char;
    }
  }
  return result;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
