/**
 * Options and other words behind a command, told apart.
 *
 *     ["--port", "1", "file"] → readOptions → { given: port → ["1"], rest: ["file"] }, or what is wrong with the words
 */
import { parseArgs } from "node:util";

/** The options of a command by name, and whether they take a value. */
export type Flags = Readonly<Record<string, { readonly type: "string" | "boolean"; readonly short?: string }>>;

/** What was typed. */
export interface ReadWords {
  /** The values of each option that was given, in order; "" for one that takes none. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** Words that are no options. */
  readonly rest: readonly string[];
}

/** Gives a text, which names the option and the way out, for words that the command does not understand. `command` is "drover up". */
export function readOptions(command: string, flags: Flags, words: readonly string[]): ReadWords | string {
  const { tokens } = parseArgs({ args: [...words], options: flags, strict: false, allowPositionals: true, tokens: true });
  const given = new Map<string, readonly string[]>();
  const rest: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") rest.push(token.value);
    if (token.kind !== "option") continue;
    const problem = optionProblem(command, flags, token);
    if (problem !== undefined) return problem;
    given.set(token.name, [...(given.get(token.name) ?? []), token.value ?? ""]);
  }
  return { given, rest };
}

function optionProblem(
  command: string,
  flags: Flags,
  { name, rawName, value }: { readonly name: string; readonly rawName: string; readonly value: string | undefined },
): string | undefined {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag === undefined)
    return `${command} has no option "${rawName}"; it has ${Object.keys(flags)
      .map((known) => `--${known}`)
      .join(", ")}`;
  const wantsValue = flag.type === "string";
  // What looks like the next option was meant to be one.
  if (wantsValue && (value === undefined || value === "" || /^-\D/.test(value)))
    return `${rawName} wants a value: ${rawName}=…; ${command} --help tells more`;
  return !wantsValue && value !== undefined ? `${rawName} takes no value, and got "${value}"` : undefined;
}
