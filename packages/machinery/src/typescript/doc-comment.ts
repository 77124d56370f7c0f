/** Descriptions of a schema as comments in generated code, which they cannot escape. */

/** Longer lines are wrapped at spaces. */
const textWidth = 130;

/** Further content of a comment. */
export interface DocCommentOptions {
  /** Why the item is deprecated. @default not deprecated */
  readonly deprecated?: string;
}

/**
 * Returns a doc comment for a line with this indentation; nothing for a text without words.
 *
 * Guarantees: the comment ends where it should, whatever the text is; no line of it is a compiler directive ("@ts-ignore"), and no
 * character of it is invisible or changes the writing direction.
 */
export function docComment(text: string, indent: string, { deprecated }: DocCommentOptions = {}): string {
  const lines = text.split(/\r\n|[\n\r\u{2028}\u{2029}\u{85}]/u).flatMap((line) => wrapLine(plainText(line)));
  const first = lines.findIndex((line) => line !== "");
  const prose = first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
  const shown = deprecated === undefined ? prose : [...prose, `@deprecated ${plainText(deprecated)}`];
  if (shown.length === 0) return "";
  if (shown.length === 1 && shown[0] !== undefined) return `${indent}/** ${shown[0]} */\n`;
  return `${indent}/**\n${shown.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}

/** A word that starts with an at sign is a directive to some tool. */
function plainText(line: string): string {
  return line
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, " ")
    .trim()
    .replaceAll("*/", "*\\/")
    .replaceAll(/(?<=^|[\s*/])@/g, "\\@");
}

function wrapLine(line: string): readonly string[] {
  const lines: string[] = [];
  for (const word of line.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= textWidth) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
