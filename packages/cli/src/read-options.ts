/**
 * Separates options and positional arguments.
 *
 *     ["--port", "1", "file"] → readOptions → { given: port → ["1"], rest: ["file"] }, or an error text
 */
import { parseArgs } from "node:util";

/** Options of a command by name, and whether they take a value. */
export type Flags = Readonly<Record<string, { readonly type: "string" | "boolean"; readonly short?: string }>>;

/** Parsed arguments. */
export interface ReadWords {
  /** Values of each given option, in order; "" for flags. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** Positional arguments. */
  readonly rest: readonly string[];
}

/** Parses the arguments. Returns an error text that names the option and the fix for invalid ones. `command` is "drover up". */
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
  // A value that looks like an option is one.
  if (wantsValue && (value === undefined || value === "" || /^-\D/.test(value)))
    return `${rawName} needs a value: ${rawName}=…; see ${command} --help`;
  return !wantsValue && value !== undefined ? `${rawName} takes no value, but got "${value}"` : undefined;
}
