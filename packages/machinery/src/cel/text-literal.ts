/** String and bytes literals: resolves escapes, except in raw strings (`r"…"`). */

const simple: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "`": "`",
  "?": "?",
};

/** The content of a literal, or its problem. For bytes, each character below 256 is a byte. */
export type TextLiteral = { readonly text: string } | { readonly problem: string };

/** Parses a literal with its quotes. */
export function readTextLiteral(literal: string): TextLiteral {
  const { body, raw } = unquote(literal.replaceAll(/\r\n?/g, "\n"));
  if (raw || !body.includes("\\")) return { text: body };
  let problem: string | undefined;
  const text = body.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|[xX]([0-9a-fA-F]{2})|([0-3][0-7]{2})|([^]))/g,
    (_whole, ...groups: (string | undefined)[]) => {
      const [short, long, hex, octal, char = ""] = groups;
      if (short === undefined && long === undefined && hex === undefined && octal === undefined) return simple[char] ?? char;
      const code = octal === undefined ? Number.parseInt(short ?? long ?? hex ?? "", 16) : Number.parseInt(octal, 8);
      if (code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)) return String.fromCodePoint(code);
      problem = "unable to unescape string";
      return "";
    },
  );
  return problem === undefined ? { text } : { problem };
}

/**
 * Parses a bytes literal with its quotes, without the leading `b`. Escapes of two hex or three octal digits are bytes; everything
 * else is UTF-8.
 */
export function readBytesLiteral(literal: string): { readonly bytes: Uint8Array } | { readonly problem: string } {
  const { body, raw } = unquote(literal.replaceAll(/\r\n?/g, "\n"));
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const piece of raw ? [body] : (body.match(/\\(?:[xX][0-9a-fA-F]{2}|[0-3][0-7]{2}|[^])|[^\\]+/g) ?? [])) {
    const hex = /^\\[xX](..)$/.exec(piece)?.[1];
    const octal = /^\\([0-3][0-7]{2})$/.exec(piece)?.[1];
    if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (/^\\[uU]/.test(piece)) return { problem: "unable to unescape string" };
    else bytes.push(...encoder.encode(!raw && piece.startsWith("\\") ? (simple[piece.slice(1)] ?? piece.slice(1)) : piece));
  }
  return { bytes: Uint8Array.from(bytes) };
}

function unquote(literal: string): { readonly body: string; readonly raw: boolean } {
  const raw = /^[rR]/.test(literal);
  const rest = raw ? literal.slice(1) : literal;
  const width = rest.length >= 6 && /^(?:"""|''')/.test(rest) ? 3 : 1;
  return { body: rest.slice(width, -width), raw };
}
