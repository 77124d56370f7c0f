/** Field names escaped for expressions: `a-b` is `a__dash__b`, `namespace` is `__namespace__`. */

const reserved: ReadonlySet<string> = new Set([
  "true",
  "false",
  "null",
  "in",
  "as",
  "break",
  "const",
  "continue",
  "else",
  "for",
  "function",
  "if",
  "import",
  "let",
  "loop",
  "package",
  "namespace",
  "return",
  "var",
  "void",
  "while",
]);
const escapes: ReadonlyMap<string, string> = new Map([
  ["__", "__underscores__"],
  [".", "__dot__"],
  ["-", "__dash__"],
  ["/", "__slash__"],
]);
const escaped: ReadonlyMap<string, string> = new Map(Array.from(escapes, ([plain, text]) => [text, plain]));

/** Returns the escaped name; undefined for fields that expressions cannot name. */
export function escapeProperty(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_./-][\w./-]*$/.test(name)) return undefined;
  return name.replaceAll(/__|[-./]/g, (piece) => escapes.get(piece) ?? piece);
}

/** Returns the field of an escaped name; undefined for an invalid one. */
export function unescapeProperty(name: string): string | undefined {
  let valid = true;
  const plain = name.replaceAll(/__[^_]+__/g, (piece) => {
    const known = escaped.get(piece);
    if (known !== undefined) return known;
    const word = piece.slice(2, -2);
    if (!reserved.has(word) || piece !== name) valid = false;
    return word;
  });
  return valid ? plain : undefined;
}
