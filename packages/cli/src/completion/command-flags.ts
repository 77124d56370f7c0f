/**
 * Commands and flags, read from the help: tests require that it lists exactly what exists.
 *
 *     usageOf("up") → flagsIn → --nodes, which takes NUMBER, "number of simulated nodes"
 */

/** A command and what it does. */
export interface ListedCommand {
  readonly name: string;
  readonly about: string;
}

/** A flag and what it does. */
export interface ListedFlag {
  /** "--nodes" */
  readonly name: string;
  /** "NUMBER"; undefined if it takes no value. */
  readonly value: string | undefined;
  readonly about: string;
}

/** Returns the commands of the overview, each once. */
export function commandsIn(overview: string): readonly ListedCommand[] {
  const found = new Map<string, string>();
  for (const [, name = "", rest = ""] of overview.matchAll(/^ {2}drover ([a-z]+)(.*)$/gm))
    if (!found.has(name)) found.set(name, rest.replace(/^(?: \S+)*? +(?=\S)/, "").trim());
  return [...found].map(([name, about]) => ({ name, about }));
}

/** Returns the flags of the help of one command. Several on one line share what is said about them. */
export function flagsIn(usage: string): readonly ListedFlag[] {
  const line = /^ {2}(?:-\w, )?(--[a-z0-9-]+(?:, --[a-z0-9-]+)*)(?:, -\w)?(?:[ =]([A-Z[]\S*))?(?: +(\S.*))?$/gm;
  return [...usage.matchAll(line)].flatMap(([, names = "", value, about = ""]) =>
    names.split(", ").map((name) => ({ name, value, about: about.replace(/ +\(default.*$/, "") })),
  );
}
