import { createRandom, pick } from "@drover/machinery";
import type { JsonValue, Random } from "@drover/machinery";
import { YamlError, parseYaml, parseYamlDocuments, printYaml } from "@drover/yaml";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

/** A value as Go's encoding/json writes it, so that the comparison keeps every digit of a number. */
function goJson(value: JsonValue): string {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value === "bigint") return String(value);
  if (value === null || typeof value !== "object") return escapeHtml(JSON.stringify(value));
  if (Array.isArray(value)) return `[${value.map(goJson).join(",")}]`;
  const keys = Object.keys(value).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${keys.map((key) => `${escapeHtml(JSON.stringify(key))}:${goJson(Object.entries(value).find(([name]) => name === key)?.[1] ?? null)}`).join(",")}}`;
}
const escapeHtml = (text: string): string =>
  text.replaceAll(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

const ours = <T>(read: () => T): T | YamlError => {
  try {
    return read();
  } catch (error) {
    if (error instanceof YamlError) return error;
    throw error;
  }
};

interface Reading {
  readonly json: string;
  /** Whether the strict reader, which refuses duplicate keys, accepts it too. */
  readonly strict: boolean;
  /** Number of documents; -1 when one after the first cannot be read. */
  readonly documents: number;
}

/**
 * Kubernetes reads the first document of a text and ignores the rest; ours refuses the rest. Kubernetes takes the last
 * of two equal keys; ours refuses them. Binary data that is not text becomes replacement characters there; ours refuses
 * it.
 */
function compareReading(text: string, answer: Answer): void {
  const result = ours(() => parseYaml(text));
  const note = JSON.stringify({ text, answer, result: result instanceof YamlError ? result.message : "read" });
  const reading = answer.output as Reading | undefined;
  if (reading === undefined || reading.documents < 0 || reading.documents > 1) return expect(result, note).toBeInstanceOf(YamlError);
  if (!(result instanceof YamlError)) return expect(goJson(result), note).toBe(reading.json);
  const refusedOnPurpose =
    (!reading.strict && result.message.includes("already set in map")) || result.message.includes("!!binary value is not UTF-8");
  expect(refusedOnPurpose, note).toBe(true);
}

const scalars = [
  "yes",
  "No",
  "on",
  "OFF",
  "y",
  "n",
  "Y",
  "N",
  "true",
  "False",
  "yEs",
  "~",
  "null",
  "Null",
  "NULL",
  "nULL",
  "''",
  "0777",
  "0o777",
  "0O17",
  "08",
  "09.5",
  "0b101",
  "0B11",
  "-0b11",
  "0b-1",
  "0b2",
  "0x1F",
  "0XfF",
  "-0x10",
  "1_000",
  "_1",
  "1__0",
  "0x_F",
  "1e3",
  "1E+3",
  "1.",
  ".5",
  "-.5",
  "+.5",
  ".5_1",
  "1_0.5",
  "1e999",
  "1e-999",
  "-0",
  "-0.0",
  "+1",
  "00",
  "0",
  "9007199254740993",
  "-9223372036854775808",
  "-9223372036854775809",
  "9223372036854775808",
  "18446744073709551615",
  "18446744073709551616",
  "+18446744073709551615",
  "12:30:45",
  "190:20:30.15",
  "2001-01-01",
  "2001-1-1",
  "2001-12-14t21:59:43.10-05:00",
  "2001-12-14 21:59:43.10 -5",
  ".inf",
  "-.Inf",
  ".nan",
  "1.2.3",
  "<<",
  "=",
  "!!str 1",
  "!!int '1'",
  "!!int x",
  "!!float 1",
  "!!float 18446744073709551615",
  "!!bool yes",
  "!!null ''",
  "!!null x",
  "!!timestamp 2001-01-01",
  "!!timestamp x",
  "!!binary aGk=",
  "!!binary a",
  "!x y",
  "! 1",
  "!!set {a, b}",
  "!!omap [a: 1]",
];
const documents = [
  "",
  "\n",
  "# c",
  "---",
  "--- a",
  "a: 1\n---\nb: 2",
  "a: 1\n...\n",
  "%YAML 1.1\n---\na",
  "%YAML 1.2\n---\na",
  "%TAG ! tag:x,1:\n---\n!y z",
  "\ufeffa: 1",
  "a: b: c",
  "a: 'b': c",
  "a:\n- b\n- c\nd: e",
  "a:\n  - b\n c: d",
  "- - a\n  - b\n- c",
  "- a: 1\n  b: 2\n-\n  c: 3",
  "? a\n: b\n? c",
  "? - a\n: b",
  "a:\n\tb: 1",
  "a:\t1",
  "a: b\t# c",
  "a: 1 #c\n#d\nb: 2",
  "a#b: c",
  "a:b",
  "{a:b}",
  "{a: b, c, d: }",
  "[a, b,]",
  "[a: b, c]",
  "[? a : b]",
  "{? a}",
  "{,}",
  "[,]",
  "[a",
  "{a: 1",
  "a]",
  "a: |\n  x\n   y\n\n z",
  "a: |\n  x\n\n\nb: 1",
  "a: |+\n  x\n\n\nb: 1",
  "a: >\n  x\n  y\n\n  z\n   w\n  v",
  "a: |2\n    x",
  "a: |-2\n    x",
  "a: |0\n x",
  "|\n\tx",
  "a: >-\n  é\u2028b",
  "'a''b'",
  "'a\n b\n\n c'",
  '"a\\\n  b\\x41\\u263A\\U0001F600\\N\\_\\L\\P"',
  '"\\/"',
  '"\\q"',
  '"a',
  "'a\n---\nb'",
  '"\\ud83d\\ude00"',
  "a: &x 1\nb: *x",
  "a: *x",
  "&x [*x]",
  "&x a: 1\nb: *x",
  "*x : 1",
  "a: &x\nb: *x",
  "&a &b x",
  "!!str &a x",
  "&a !!str x",
  "a: &x {k: 1}\nb: {<<: *x, k: 2}",
  "a: &x {k: 1}\nb: {k: 2, <<: *x}",
  "<<: {a: 1}\na: 2",
  "<<: [{a: 1}, {a: 2, b: 3}]",
  "<<: 1",
  "<<: [1]",
  "'<<': 1",
  "!!merge <<: {a: 1}",
  "a: <<",
  "a: 1\na: 2",
  "{1: a, 2.5: b, true: c, 0x10: d, 1e6: e, 1e300: f, 0.1: g, 1.23456789: h, 16777217.5: i}",
  "~: 1",
  "null: 1",
  "18446744073709551615: 1",
  "-9223372036854775808: 1",
  "{[a]: 1}",
  "{{a: 1}: 1}",
  "[]: x",
  "2001-01-01: d",
  ".inf: 1",
  "! a: 1",
  "a: b\n c: d",
  "a\nb: c",
  "a: [\nb\n]",
  "a: [\nb]\nc: d",
  "- a\n b",
  "-\n- b",
  "a: -",
  "a: - b",
  "- ? a\n  : b",
  "a: @b",
  "a: `b",
  "a: %b",
  "a: b %c",
  "a: b, c",
  "key with spaces: v",
  `${"k".repeat(1024)}: v`,
  `${"k".repeat(1025)}: v`,
  "x\u0000",
  "x\u0007",
  "a: \u0085b",
  "a:\u00a0b",
  "a\r\nb: c\rd: e",
];
const reading = [
  ...scalars.flatMap((text) => [text, `a: ${text}`, `[${text}]`, `${text}: v`, `"${text.replaceAll(/["\\]/g, "")}"`]),
  ...documents,
];

const splitting = [
  "a: 1\n---\nb: 2\n",
  "---\na: 1\n---\n---\n# c\n---\nb: 2",
  "a: 1\n...\n---\nb: 2",
  "---\n- 1\n---   \nx\n--- # c\ny",
  "",
  "---\n---\n",
  "a: |\n  x\n---\nb: |\n  ---\n  y\n",
];

const words = [
  "true",
  "y",
  "0x1F",
  "1_000",
  "2001-01-01",
  "12:30",
  ".5",
  "<<b",
  "~",
  "null",
  "- a",
  "-a",
  "? a",
  "a: b",
  "a:b",
  "a #b",
  "#",
  "'",
  '"',
  "it's",
  "a\nb",
  "a\n",
  "a\n\n",
  "\n",
  "\n a",
  " a",
  "a ",
  " \n",
  "a \nb",
  "a\n b",
  "\t",
  "é",
  "中",
  "\u{1f600}",
  "\u00a0",
  "\ufeffx",
  "",
  "*",
  "&",
  "!",
  "%",
  "@",
  "`",
  "|",
  ">",
  "---",
  "...",
  "=",
  ",",
  "[",
  "{",
  "a,b",
  "word ".repeat(30),
  `'${"word ".repeat(30)}x`,
  `\t${"a  b ".repeat(30)}x`,
  "k".repeat(130),
  "x".repeat(200),
];
const printing: readonly unknown[] = [
  ...words,
  ...words.map((word) => ({ [word]: [word, { a: word }] })),
  [[], {}, [[]], [{}], { a: [] }, { a: {} }, null, true, 0, -1, 1.5, 1e6, 1e-7, 1e21, 1e20, 1e19, 123456789012, 5e-324, -2.5e-10],
  { b: 1, a: 2, B: 3, a10: 4, a9: 5, "a-b": 6, "1": 7, "01": 8, "10": 9, "2": 10 },
  [[["a", ["b"]], { c: [{ d: [1] }] }]],
  { [`k${"é".repeat(64)}`]: { a: [1, { b: 2 }] } },
];
/** There JSON goes through the YAML reader, which folds the raw line breaks of YAML 1.1 in strings; escaped ones are kept. */
const printed = (value: unknown): { print: string } => ({
  print: JSON.stringify(value).replaceAll(
    /[\u007f-\ud7ff\ue000-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  ),
});

function randomText(random: Random): string {
  const pieces = [
    "a",
    "b",
    " ",
    "  ",
    "\n",
    "\n  ",
    "\n    ",
    ": ",
    ":",
    "- ",
    "-",
    "? ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "#",
    " # c",
    "'",
    '"',
    "|\n",
    "|-\n",
    "|+\n",
    ">\n",
    "|2\n",
    "&x ",
    "*x ",
    "!!str ",
    "!t ",
    "!!int ",
    "<<: ",
    "---\n",
    "...\n",
    "\t",
    "\\n",
    "%YAML 1.1\n",
    "@",
    "1",
    "0x1F",
    "1.5",
    "true",
    "~",
    "é",
    "\u0085",
    "\u2028",
    "'x'",
    '"y"',
    "a: b\n",
    "- a\n",
    "\r\n",
    "\u{1f600}",
    "2001-01-01",
    "08",
    ".5",
  ];
  return Array.from({ length: 1 + random.int(12) }, () => pick(random, pieces)).join("");
}

function randomString(random: Random): string {
  const pieces = [
    "a",
    "b",
    " ",
    "\n",
    ": ",
    "- ",
    "#",
    "'",
    '"',
    "|",
    "&",
    "*",
    "!",
    "---",
    "\t",
    "\\",
    "%",
    "1",
    "9",
    "10",
    "true",
    "~",
    "é",
    "\u0085",
    "\u2028",
    "\r",
    "\u{1f600}",
    "2001-01-01",
    ".5",
    "\u00a0",
    "\u0001",
    "x".repeat(40),
    "word ",
  ];
  return Array.from({ length: random.int(10) === 0 ? random.int(60) : random.int(5) }, () => pick(random, pieces)).join("");
}

function randomValue(random: Random, depth = 3): unknown {
  const kind = random.int(depth > 0 ? 9 : 5);
  if (kind < 3) return randomString(random);
  if (kind === 3) return pick(random, [null, true, false, 0, -1, 1e6, 1.5, 1e-7, 1e21, 9007199254740991, 1e20]);
  if (kind === 4) return pick(random, [[], {}]);
  if (kind < 7) return Array.from({ length: random.int(4) }, () => randomValue(random, depth - 1));
  // Go's order of keys is not transitive where digits, letters and other characters mix: three keys can form a cycle,
  // and their order is random.
  const [count, key] =
    random.int(2) === 0 ? [2, () => randomString(random)] : [6, () => `${pick(random, ["", "a", "b", "k-"])}${random.int(200)}`];
  return Object.fromEntries(Array.from({ length: random.int(count + 1) }, () => [key(), randomValue(random, depth - 1)]));
}

const seed = process.env["DROVER_SEED"] ?? 20;
const runs = process.env["DROVER_LONG"] === "1" ? 200_000 : 5_000;

describe("YAML, compared with sigs.k8s.io/yaml", () => {
  it("reads the table as Kubernetes does", () => {
    const answers = recordedAnswers("yaml", [
      ...reading.map((read) => ({ read })),
      ...splitting.map((split) => ({ split })),
      ...printing.map(printed),
    ]);
    for (const [index, text] of reading.entries()) compareReading(text, answers[index] ?? {});
    for (const [index, text] of splitting.entries())
      expect(parseYamlDocuments(text).map(goJson), text).toEqual(answers[reading.length + index]?.output);
    for (const [index, value] of printing.entries())
      expect(printYaml(value), JSON.stringify(value)).toBe(answers[reading.length + splitting.length + index]?.output);
  });

  it("reads random texts as Kubernetes does, or refuses them as it does", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const random = createRandom(seed).stream("read");
    const texts = Array.from({ length: runs }, () => randomText(random));
    for (const [index, answer] of askOracle(
      "yaml",
      texts.map((read) => ({ read })),
    ).entries())
      compareReading(texts[index] ?? "", answer);
  });

  it("prints random values as Kubernetes does, byte for byte", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const random = createRandom(seed).stream("print");
    const values = Array.from({ length: runs }, () => randomValue(random));
    for (const [index, answer] of askOracle("yaml", values.map(printed)).entries()) {
      const text = printYaml(values[index]);
      if (text !== answer.output) expect(text, JSON.stringify(values[index])).toBe(answer.output);
    }
  });
});
