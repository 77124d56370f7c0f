/** Reads the first document of a YAML body, with its non-fatal problems. */
import type { JsonValue } from "@drover/machinery";
import { parseFirstYaml, YamlError } from "@drover/yaml";

export interface YamlBody {
  readonly value: JsonValue;
  /** Duplicate keys, all in one problem. */
  readonly problems: readonly string[];
}

/** Throws `failure(message)` for malformed YAML. */
export function readYamlBody(text: string, failure: (message: string) => Error): YamlBody {
  const duplicates: string[] = [];
  try {
    const value = parseFirstYaml(text, {
      onDuplicateKey: ({ key, line }) => duplicates.push(`  line ${line}: key ${key} already set in map`),
    });
    return { value, problems: duplicates.length === 0 ? [] : [["yaml: unmarshal errors:", ...duplicates].join("\n")] };
  } catch (error) {
    throw error instanceof YamlError ? failure(messageOf(error, text)) : error;
  }
}

/** Errors of the parser, for which Go counts lines from 0. */
const ofParser = /^did not find expected (?!hexdecimal|whitespace|alphabetic)|^found duplicate %|^found incompatible|^found undefined tag/;
/** Errors of constructing values, for which Go names no line. */
const ofValues = /^unknown anchor|^anchor |^cannot decode|^!!binary|^map merge|^document contains|cannot be a key|^JSON has no number/;

/** Returns Go's message. It names no line for the first line, and not always the right one for others. */
function messageOf({ problem, line, column }: YamlError, text: string): string {
  const [, sign, word] = /^JSON has no number ([-+]?)\.(inf|nan)/i.exec(problem) ?? [];
  if (word !== undefined) return `json: unsupported value: ${word.toLowerCase() === "nan" ? "NaN" : `${sign === "-" ? "-" : "+"}Inf`}`;
  const isParsers = ofParser.test(problem);
  // The parser counts the end of a text as a line, and notices a key without a colon only in the line after it.
  const lines = text.split("\n");
  const isAtEnd = line === lines.length && column > (lines.at(-1) ?? "").length && column > 1;
  const from0 = (isAtEnd && isParsers) || problem === "could not find expected ':'" ? line : line - 1;
  return from0 === 0 || ofValues.test(problem) ? `yaml: ${problem}` : `yaml: line ${isParsers ? from0 : from0 + 1}: ${problem}`;
}
