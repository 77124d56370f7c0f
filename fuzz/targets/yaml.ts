/** YAML: JSON is YAML, and what is printed is read back. */
import { JsonError, decodeJson } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import { YamlError, parseFirstYaml, parseYaml, parseYamlDocuments, printYaml } from "@drover/yaml";
import { attempt, equal, holds } from "../expect.ts";
import { jsonPart, textOf } from "../parts.ts";
import type { FuzzTarget } from "../target.ts";

export const yamlTarget: FuzzTarget = {
  name: "yaml",
  perSecond: 1500,
  tokens: [
    [
      "---",
      "...",
      "- ",
      "? ",
      ": ",
      "|",
      "|-",
      "|+",
      ">",
      ">-",
      "|2",
      "&a ",
      "*a",
      "<<: ",
      "!!str ",
      "!!int ",
      "!!binary ",
      "!!float ",
      "! ",
    ],
    [
      "%YAML 1.1\n",
      "%TAG ! tag:a,2000:\n",
      "!!set ",
      "!!omap ",
      "# c",
      "  ",
      "yes",
      "~",
      ".inf",
      ".nan",
      "0o7",
      "0x1F",
      "0b1",
      "1_0",
      "12:30:45",
    ],
    ['"\\x41"', '"\\u00e9"', '"\\', "{a: b}", "[a, b]", "\u0085", "2001-12-14t21:59:43.10-05:00"],
  ].flat(),
  run(input) {
    const text = textOf(input);
    const parsed = attempt(() => parseYaml(text), YamlError);
    const first = attempt(() => parseFirstYaml(text), YamlError);
    const all = attempt(() => parseYamlDocuments(text, { onDuplicateKey: () => {} }), YamlError);
    if ("value" in parsed) {
      holds("value" in first && "value" in all, "every reader accepts one document");
      equal(first.value, parsed.value, "the first document is the document");
      printAndParse(parsed.value);
    } else if ("value" in all) for (const value of all.value) printAndParse(value);
    const json = attempt(() => decodeJson(text), JsonError);
    if ("value" in json) readsJson(text, json.value);
    else printAndParse(jsonPart(text));
  },
};

const printedMax = 128 * 1024;

function printAndParse(value: JsonValue): void {
  if (hasInfinity(value)) return;
  const printed = printYaml(value);
  // Indentation grows with the square of the depth, up to a megabyte; the limit of time is for inputs of 64 KB.
  if (printed.length > printedMax) return;
  const again = attempt(() => parseYaml(printed), YamlError);
  holds("value" in again, "parses what it prints", () => ("error" in again ? `${again.error.message} in ${JSON.stringify(printed)}` : ""));
  equal(again.value, value, "parses what it prints to the same value");
  holds(printYaml(again.value) === printed, "prints the same value the same way", () => printed);
}

/** YAML 1.1 cannot hold all of JSON: it has duplicate keys, tabs as white space and some escapes that YAML refuses. */
function readsJson(text: string, value: JsonValue): void {
  const parsed = attempt(() => parseYaml(text), YamlError);
  if ("value" in parsed && !/[\d\\\t\r]|<<|\/|[^ -~\n]/.test(text)) equal(parsed.value, value, "reads JSON as YAML");
}

function hasInfinity(value: JsonValue): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value === "string") return /[\ud800-\udfff]/.test(value.replaceAll(/[\ud800-\udbff][\udc00-\udfff]/g, ""));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value as Record<string, JsonValue>).some(([key, member]) => hasInfinity(key) || hasInfinity(member));
}
