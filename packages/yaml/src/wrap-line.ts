/** Breaks long strings at spaces, where parsing joins the lines with a space again. */

/** Beyond this column the next space becomes a line break. */
const width = 80;

export interface LinePlace {
  readonly column: number;
  readonly indent: number;
  /** Keys are never broken. */
  readonly isKey: boolean;
}
export interface LineStyle {
  /** Quotes around the string; "" for none. */
  readonly quote: "" | "'" | '"';
  /** Writes a character other than a space. */
  readonly encode: (character: string) => string;
}

/**
 * Returns the quoted string, with line breaks in place of single spaces beyond the width. A break between two spaces, possible only
 * in double quotes, needs a backslash before the second. LS and PS break lines by themselves.
 */
export function wrapLine(text: string, { column, indent, isKey }: LinePlace, { quote, encode }: LineStyle): string {
  if (quote === "" && (isKey || column + text.length <= width)) return text;
  let line = quote;
  let at = column + quote.length;
  let afterSpace = false;
  let afterBreak = false;
  const lineBreak = (prefix: string): void => {
    line += prefix + " ".repeat(indent);
    at = indent;
  };
  for (const [index, character] of characters(text)) {
    const next = text.charAt(index + 1);
    if (character === " " && !isKey && !afterSpace && at > width && canBreak(quote, index, text.length, next)) {
      lineBreak("\n");
      if (next === " ") {
        line += "\\";
        at++;
      }
    } else {
      if (afterBreak && character !== " " && !isSeparator(character)) lineBreak("");
      const written = character === " " ? " " : encode(character);
      line += written;
      at = isSeparator(written) ? 0 : at + written.length;
      afterBreak = isSeparator(written);
    }
    afterSpace = character === " ";
  }
  return line + quote;
}

/** A break at either end of a quoted string would be lost; between two spaces only double quotes can keep it. */
function canBreak(quote: LineStyle["quote"], index: number, length: number, next: string): boolean {
  if (quote !== "" && (index === 0 || index === length - 1)) return false;
  return quote === '"' || next !== " ";
}

const isSeparator = (text: string): boolean => text === "\u2028" || text === "\u2029";

/** Yields each character with its index. */
function* characters(text: string): Generator<readonly [index: number, character: string]> {
  let index = 0;
  for (const character of text) {
    yield [index, character];
    index += character.length;
  }
}
