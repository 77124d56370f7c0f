/** Reads a body in YAML: its first document, and what is wrong with it that does not matter. */
import type { JsonValue } from "@drover/machinery";
import { parseFirstYaml, YamlError } from "@drover/yaml";

export interface YamlBody {
  readonly value: JsonValue;
  /** The keys that stand twice, all in one problem. */
  readonly problems: readonly string[];
}

/** Throws what `failure` makes of the message where the text is not YAML. */
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

/** Found while tokens are put together. Go counts the lines of these from 0. */
const ofParser = /^did not find expected (?!hexdecimal|whitespace|alphabetic)|^found duplicate %|^found incompatible|^found undefined tag/;
/** Found while values are made. Go names no line for these. */
const ofValues = /^unknown anchor|^anchor |^cannot decode|^!!binary|^map merge|^document contains|cannot be a key|^JSON has no number/;

/** The server's message. It names no line in the first one, and not always the right one in others. */
function messageOf({ problem, line, column }: YamlError, text: string): string {
  const [, sign, word] = /^JSON has no number ([-+]?)\.(inf|nan)/i.exec(problem) ?? [];
  if (word !== undefined) return `json: unsupported value: ${word.toLowerCase() === "nan" ? "NaN" : `${sign === "-" ? "-" : "+"}Inf`}`;
  const isParsers = ofParser.test(problem);
  // The end of a text counts as a line of its own to the parser, and a key without a colon is noticed only in the line after it.
  const lines = text.split("\n");
  const isAtEnd = line === lines.length && column > (lines.at(-1) ?? "").length && column > 1;
  const from0 = (isAtEnd && isParsers) || problem === "could not find expected ':'" ? line : line - 1;
  return from0 === 0 || ofValues.test(problem) ? `yaml: ${problem}` : `yaml: line ${isParsers ? from0 : from0 + 1}: ${problem}`;
}
