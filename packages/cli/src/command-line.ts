/**
 * What somebody has typed behind `drover`.
 *
 *     words → parseCommandLine → Command: something to do, or what is wrong with the words
 */
import { isIP } from "node:net";
import { parseArgs } from "node:util";

/** What `drover up` can be told. */
export interface UpOptions {
  /** The address to listen on. @default "127.0.0.1" */
  readonly host: string;
  /** 0 is any that is free. @default 0 */
  readonly port: number;
  /** Where to write the kubeconfig; undefined is `.drover/kubeconfig` in the folder the command is run in. @default undefined */
  readonly kubeconfig: string | undefined;
  /** Whether whoever reaches the port may do everything without showing who they are. @default false */
  readonly anonymous: boolean;
}

/** What is to be done. */
export type Command =
  | { readonly name: "help"; readonly about: "drover" | "up" }
  | { readonly name: "version" }
  | { readonly name: "up"; readonly options: UpOptions }
  | { readonly name: "mistake"; readonly message: string };

const flags = {
  host: { type: "string" }, port: { type: "string" }, kubeconfig: { type: "string" }, anonymous: { type: "boolean" }, help: { type: "boolean", short: "h" },
} as const;
const upHelp = "drover up --help tells more";

/** Never throws: what cannot be understood is a mistake with the way out in it. */
export function parseCommandLine(words: readonly string[]): Command {
  const [first, ...rest] = words;
  if (first === "up") return parseUp(rest);
  if (first === "--version" || first === "-V" || first === "version") return { name: "version" };
  if (first === undefined) return mistake("what is to be done? drover up starts a Kubernetes API server; drover --help tells more");
  if (first === "--help" || first === "-h" || first === "help") return { name: "help", about: rest[0] === "up" ? "up" : "drover" };
  return mistake(`there is no ${first.startsWith("-") ? "option" : "command"} "${first}"; drover --help lists what there is`);
}

function parseUp(words: readonly string[]): Command {
  const { tokens } = parseArgs({ args: [...words], options: flags, strict: false, allowPositionals: true, tokens: true });
  const given = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") return mistake(`drover up takes options only, and "${token.value}" is none; ${upHelp}`);
    const problem = optionProblem(token);
    if (problem !== undefined) return mistake(problem);
    given.set(token.name, token.value ?? "");
  }
  if (given.has("help")) return { name: "help", about: "up" };
  const host = hostOf(given.get("host") ?? "127.0.0.1");
  if (host === undefined) return mistake(`--host wants an address, like 127.0.0.1 or ::1, and not "${given.get("host") ?? ""}"`);
  const port = portOf(given.get("port") ?? "0");
  if (port === undefined) return mistake(`--port wants a number from 0 to 65535, and not "${given.get("port") ?? ""}"; 0 is any that is free`);
  return { name: "up", options: { host, port, kubeconfig: given.get("kubeconfig"), anonymous: given.has("anonymous") } };
}

function optionProblem({ name, rawName, value }: { readonly name: string; readonly rawName: string; readonly value: string | undefined }): string | undefined {
  if (!Object.hasOwn(flags, name)) return `drover up has no option "${rawName}"; it has ${Object.keys(flags).map((flag) => `--${flag}`).join(", ")}`;
  const wantsValue = flags[name as keyof typeof flags].type === "string";
  // What looks like the next option was meant to be one.
  if (wantsValue && (value === undefined || value === "" || /^-\D/.test(value))) return `${rawName} wants a value: ${rawName}=…; ${upHelp}`;
  return !wantsValue && value !== undefined ? `${rawName} takes no value, and got "${value}"` : undefined;
}

const hostOf = (text: string): string | undefined => (text === "localhost" ? "127.0.0.1" : isIP(text) > 0 ? text : undefined);
const portOf = (text: string): number | undefined => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined);
const mistake = (message: string): Command => ({ name: "mistake", message });
