/** Tokens of a label selector. */

/** A word (a key, a value, `in`, `notin`), a symbol (`=`, `==`, `!=`, `!`, `(`, `)`, `,`, `<`, `>`), or the end. */
export interface Token {
  readonly kind: "word" | "symbol" | "end";
  readonly text: string;
}

// Blanks are space, tab, CR and LF only. The server treats a NUL as the end of the token before it, and as the end of the text
// where a token should start.
const token = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^ \t\r\n=!(),<>\0]+))\0?/gy;

/** Splits a text into tokens, without the end. Every text can be split. */
export function tokenize(text: string): Token[] {
  return Array.from(text.matchAll(token), ([, symbol, word = ""]): Token =>
    symbol === undefined ? { kind: "word", text: word } : { kind: "symbol", text: symbol },
  );
}
