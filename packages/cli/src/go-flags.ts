/**
 * Reads flags as Kubernetes' Go programs do.
 *
 *     ["--secure-port=1", "--allow-privileged", "-v", "2"] → readGoFlags → secure-port → ["1"], allow-privileged → ["true"], v → ["2"]
 */

/** A flag: whether it needs a value, and its short name. */
export interface GoFlag {
  /** A switch needs no value: `--profiling` is `--profiling=true`. */
  readonly type: "value" | "switch";
  readonly short?: string;
}

/** Values of each given flag, in order. */
export type GivenFlags = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the values by name, with dashes for underscores, or an error text that names the flag. Values of switches are "true" and
 * "false". `command` is the name in error texts.
 */
export function readGoFlags(command: string, flags: Readonly<Record<string, GoFlag>>, words: readonly string[]): GivenFlags | string {
  const given = new Map<string, readonly string[]>();
  const rest = words[Symbol.iterator]();
  for (const word of rest) {
    const read = /^--?[^-]/.test(word) ? split(word, flags) : undefined;
    if (read === undefined) return `${command} takes only flags, not "${word}"; see ${command} --help`;
    const { name, shown } = read;
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag === undefined) return `${command} has no flag ${shown}; remove it, or see ${command} --help for the flags that it has`;
    const next = read.value === undefined && flag.type === "value" ? rest.next() : undefined;
    const value = read.value ?? (flag.type === "switch" ? "true" : next?.done === false ? next.value : undefined);
    if (value === undefined) return `${shown} needs a value: ${shown}=…; see ${command} --help`;
    const meant = flag.type === "switch" ? switchOf(value) : value;
    if (meant === undefined) return `${shown} needs true or false, not "${value}"`;
    given.set(name, [...(given.get(name) ?? []), meant]);
  }
  return given;
}

interface SplitWord {
  readonly name: string;
  /** As the user wrote it, without the value. */
  readonly shown: string;
  readonly value: string | undefined;
}

/** "--name=value", "--name", "-v=2", "-v2" and "-v". */
function split(word: string, flags: Readonly<Record<string, GoFlag>>): SplitWord | undefined {
  const [, dashes = "", name = "", value] = /^(--?)([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  if (dashes === "") return undefined;
  if (dashes === "--") return { name: name.replaceAll("_", "-"), shown: `--${name}`, value };
  const [letter = ""] = name;
  const long = Object.entries(flags).find(([, { short }]) => short === letter)?.[0] ?? letter;
  const glued = name.slice(1);
  if (glued !== "" && Object.hasOwn(flags, long) && flags[long]?.type === "switch")
    return { name: "", shown: `-${name}`, value: undefined };
  return { name: long, shown: `-${letter}`, value: glued === "" ? value : value === undefined ? glued : `${glued}=${value}` };
}

/** The words that Go takes for a truth value. */
function switchOf(text: string): "true" | "false" | undefined {
  if (["1", "t", "T", "TRUE", "true", "True"].includes(text)) return "true";
  return ["0", "f", "F", "FALSE", "false", "False"].includes(text) ? "false" : undefined;
}
