/** `format.dns1123Label().validate(text)`: named formats with their error messages. */
import {
  checkLabel1035Name,
  checkLabelName,
  checkLabelValue,
  checkQualifiedName,
  checkSubdomainName,
  formatCheck,
} from "@drover/machinery";
import { overload } from "../check/environment.ts";
import type { Overload } from "../check/environment.ts";
import { formatType } from "../check/signature.ts";
import { listOf, none, optional } from "../value/value.ts";
import type { CelObject } from "../value/value.ts";
import { isUrl, urlProblem } from "./urls.ts";

/** A format, and the pattern length that its check is charged for. */
interface NamedFormat {
  readonly name: string;
  readonly problems: (text: string) => readonly string[];
  readonly patternSize: number;
}

const checked =
  (format: string, problem: string) =>
  (text: string): string[] =>
    formatCheck(format)?.(text) === true ? [] : [problem];

const formats: ReadonlyMap<string, NamedFormat> = new Map(
  (
    [
      ["dns1123Label", (text) => checkLabelName(text), 30],
      ["dns1123Subdomain", (text) => checkSubdomainName(text), 60],
      ["dns1035Label", (text) => checkLabel1035Name(text), 30],
      ["qualifiedName", checkQualifiedName, 60],
      ["dns1123LabelPrefix", (text) => checkLabelName(text, { prefix: true }), 30],
      ["dns1123SubdomainPrefix", (text) => checkSubdomainName(text, { prefix: true }), 60],
      ["dns1035LabelPrefix", (text) => checkLabel1035Name(text, { prefix: true }), 30],
      ["labelValue", checkLabelValue, 40],
      ["uri", (text) => (isUrl(text) ? [] : [urlProblem(text)]), 1103],
      ["uuid", checked("uuid", "does not match the UUID format"), 73],
      ["byte", checked("byte", "invalid base64"), 84],
      ["date", checked("date", "invalid date"), 114],
      ["datetime", checked("datetime", "invalid datetime"), 114],
    ] as const satisfies readonly (readonly [string, NamedFormat["problems"], number])[]
  ).map(([name, problems, patternSize]) => [name, { name, problems, patternSize }]),
);

const formatValue = (format: NamedFormat): CelObject => ({
  kind: "object",
  type: formatType,
  value: format,
  size: 1,
  equals: (other) => format.name === (other as NamedFormat).name,
});

/** The pattern length that a check against this format is charged for. */
export const patternSizeOf = ({ value }: CelObject): number => (value as NamedFormat).patternSize;

/** The overloads. */
export const formatFunctions: readonly Overload[] = [
  overload("format-validate", "format . validate(string) optional(list(string))", ({ value }: CelObject, text: string) => {
    const problems = (value as NamedFormat).problems(text);
    return problems.length === 0 ? none : optional(listOf(problems));
  }),
  overload("format-named", "format.named(string) optional(format)", (name: string) => {
    const format = formats.get(name);
    return format === undefined ? none : optional(formatValue(format));
  }),
  ...Array.from(formats, ([name, format]) => overload(`format.${name}`, `format.${name}() format`, () => formatValue(format))),
];
