/** Texts that stand where a value is expected: JSON that is deep, large, odd or of the wrong type. */
import type { Draw } from "./draw.ts";

const numbers: readonly string[] = [
  "0",
  "-0",
  "1",
  "-1",
  "1.0",
  "1e0",
  "1e308",
  "1e309",
  "-1e400",
  "1e-400",
  "1E999999999",
  "2147483648",
  "4294967296",
  "9007199254740993",
  "9223372036854775807",
  "9223372036854775808",
  "-9223372036854775809",
  "18446744073709551616",
  "01",
  "+1",
  ".5",
  "0x10",
  "1_000",
  "NaN",
  "Infinity",
];

const strings: readonly string[] = [
  "",
  " ",
  "a",
  "A",
  "..",
  ".",
  "/",
  "a/b",
  "a.b",
  "-a",
  "a-",
  "*",
  "%s%n",
  "__proto__",
  "constructor",
  "toString",
  "then",
  "\u0000",
  "\u001b[2J",
  "\u202e",
  "\ud83d\ude00",
  "\u0130",
  "a\nb",
  "1",
  "true",
  "null",
  "1e999999999",
  "999999999999Ei",
  "-1",
  "100%",
  "80/tcp",
  "::1",
  "0.0.0.0/0",
  "999.999.999.999",
  "2024-02-30T25:61:61Z",
  "9999999999h",
  "<script>",
  "${jndi:x}",
  "../../etc/passwd",
  "file:///etc/passwd",
  "https://127.0.0.1:1/",
];

/** A JSON string, mostly short. */
export const stringText = (draw: Draw): string =>
  draw.oneIn(40)
    ? JSON.stringify(draw.of(["a", "\u00e9", "-", "/", "\\"]).repeat(1 + draw.int(50_000)))
    : draw.oneIn(20)
      ? draw.of(['"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\\x41"', '"\u0001"', '"', '"\\"', "'a'"])
      : JSON.stringify(draw.of(strings));

/** Any value, as text that is JSON most of the time. */
export function valueText(draw: Draw, depth: number = 0): string {
  if (depth > 4) return stringText(draw);
  return draw.rule<string>([
    () => stringText(draw),
    () => stringText(draw),
    () => draw.of(numbers),
    () => draw.of(["null", "true", "false", "{}", "[]", "", "undefined", "//", "{,}", "[1,]", '{"a"}', '{"a":1,"a":2}', "{a:1}"]),
    () => `[${draw.some(5, () => valueText(draw, depth + 1)).join()}]`,
    () => `{${draw.some(5, () => `${stringText(draw)}:${valueText(draw, depth + 1)}`).join()}}`,
    () => nested(draw),
    () => repeated(draw),
  ]);
}

const nests: readonly (readonly [string, string])[] = [
  ["[", "]"],
  ['{"a":', "}"],
  ['[{"a":', "}]"],
  ['{"__proto__":', "}"],
];

function nested(draw: Draw): string {
  const [open, close] = draw.of(nests);
  const levels = draw.oneIn(10) ? 1 + draw.int(20_000) : 1 + draw.int(60);
  return open.repeat(levels) + valueOf(draw) + (draw.oneIn(4) ? "" : close.repeat(levels));
}

const valueOf = (draw: Draw): string => draw.of(["1", '""', "null", "{}"]);

/** Many equal parts: what grows shows what is not linear. */
function repeated(draw: Draw): string {
  const count = draw.oneIn(10) ? 1 + draw.int(5000) : 1 + draw.int(20);
  const part = draw.of(["{}", '"a"', "1", "null", '{"name":"a"}', '{"key":"a","value":"b"}', "[[]]"]);
  if (draw.oneIn(2)) return `[${Array(count).fill(part).join()}]`;
  const isSame = draw.oneIn(3);
  return `{${Array.from({ length: count }, (_, index) => `"k${isSame ? "" : index}":${part}`).join()}}`;
}
