/**
 * What somebody has typed behind `drover`.
 *
 *     words → parseCommandLine → Command: something to do, or what is wrong with the words
 */
import { isIP } from "node:net";
import { readOptions } from "./read-options.ts";
import type { Flags } from "./read-options.ts";

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
  /** How many simulated nodes there are. @default 3 */
  readonly nodes: number;
  /** Whether pods start, stop and finish at once. @default false: as in a small cluster, so that people can follow */
  readonly instant: boolean;
  /** Files and folders whose objects are applied at the start. @default none */
  readonly apply: readonly string[];
  /** Commands that are run beside it. @default none */
  readonly run: readonly string[];
  /** A file with lines for the greeting: what to try. @default undefined */
  readonly greeting: string | undefined;
  /** Whether what happens is told, and how: in lines for people, in JSON, or not at all. @default "text" */
  readonly story: "text" | "json" | "none";
}

/** What `drover kinds` can be told. */
export interface KindsOptions {
  /** Files with definitions; none when they come from a cluster. */
  readonly files: readonly string[];
  /** The cluster whose definitions are taken; undefined when they come from files. */
  readonly cluster: { readonly kubeconfig: string | undefined; readonly context: string | undefined } | undefined;
  /** Only definitions of these groups. @default all */
  readonly groups: readonly string[];
  /** The folder to write to; undefined is the standard output. @default undefined */
  readonly out: string | undefined;
}

/** What help can be about. */
export type HelpTopic = "drover" | "up" | "kinds";

/** What is to be done. */
export type Command =
  | { readonly name: "help"; readonly about: HelpTopic }
  | { readonly name: "version" }
  | { readonly name: "up"; readonly options: UpOptions }
  | { readonly name: "kinds"; readonly options: KindsOptions }
  | { readonly name: "mistake"; readonly message: string };

const upFlags: Flags = {
  host: { type: "string" },
  port: { type: "string" },
  kubeconfig: { type: "string" },
  anonymous: { type: "boolean" },
  nodes: { type: "string" },
  instant: { type: "boolean" },
  apply: { type: "string" },
  run: { type: "string" },
  greeting: { type: "string" },
  json: { type: "boolean" },
  quiet: { type: "boolean" },
  help: { type: "boolean", short: "h" },
};
const kindsFlags: Flags = {
  "from-cluster": { type: "boolean" },
  kubeconfig: { type: "string" },
  context: { type: "string" },
  group: { type: "string" },
  out: { type: "string" },
  help: { type: "boolean", short: "h" },
};

/** Never throws: what cannot be understood is a mistake with the way out in it. */
export function parseCommandLine(words: readonly string[]): Command {
  const [first, ...rest] = words;
  if (first === "up") return parseUp(rest);
  if (first === "kinds") return parseKinds(rest);
  if (first === "--version" || first === "-V" || first === "version") return { name: "version" };
  if (first === undefined) return mistake("what is to be done? drover up starts a Kubernetes; drover --help tells more");
  if (first === "--help" || first === "-h" || first === "help")
    return { name: "help", about: rest[0] === "up" || rest[0] === "kinds" ? rest[0] : "drover" };
  return mistake(`there is no ${first.startsWith("-") ? "option" : "command"} "${first}"; drover --help lists what there is`);
}

function parseUp(words: readonly string[]): Command {
  const read = readOptions("drover up", upFlags, words);
  if (typeof read === "string") return mistake(read);
  const { given, rest } = read;
  if (rest[0] !== undefined) return mistake(`drover up takes options only, and "${rest[0]}" is none; drover up --help tells more`);
  if (given.has("help")) return { name: "help", about: "up" };
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const host = hostOf(last("host") ?? "127.0.0.1");
  if (host === undefined) return mistake(`--host wants an address, like 127.0.0.1 or ::1, and not "${last("host") ?? ""}"`);
  const port = portOf(last("port") ?? "0");
  if (port === undefined) return mistake(`--port wants a number from 0 to 65535, and not "${last("port") ?? ""}"; 0 is any that is free`);
  const nodes = nodesOf(last("nodes") ?? "3");
  if (nodes === undefined) return mistake(`--nodes wants a number from 0 to 250, and not "${last("nodes") ?? ""}"`);
  if (given.has("json") && given.has("quiet"))
    return mistake("--json says how the story is told, and --quiet that it is not; one of them is too many");
  const story = given.has("json") ? "json" : given.has("quiet") ? "none" : "text";
  return {
    name: "up",
    options: {
      host,
      port,
      kubeconfig: last("kubeconfig"),
      anonymous: given.has("anonymous"),
      nodes,
      instant: given.has("instant"),
      apply: given.get("apply") ?? [],
      run: given.get("run") ?? [],
      greeting: last("greeting"),
      story,
    },
  };
}

function parseKinds(words: readonly string[]): Command {
  const read = readOptions("drover kinds", kindsFlags, words);
  if (typeof read === "string") return mistake(read);
  const { given, rest: files } = read;
  if (given.has("help")) return { name: "help", about: "kinds" };
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const isCluster = given.has("from-cluster");
  if (isCluster && files[0] !== undefined) return mistake(`drover kinds takes files or --from-cluster, and got both: "${files[0]}"`);
  if (!isCluster && files.length === 0)
    return mistake("drover kinds wants files with CustomResourceDefinitions, or --from-cluster; drover kinds --help tells more");
  const lonely = ["kubeconfig", "context"].find((name) => !isCluster && given.has(name));
  if (lonely !== undefined)
    return mistake(`--${lonely} says which cluster, and none is asked: add --from-cluster instead of files, or leave it out`);
  const cluster = isCluster ? { kubeconfig: last("kubeconfig"), context: last("context") } : undefined;
  return { name: "kinds", options: { files, cluster, groups: given.get("group") ?? [], out: last("out") } };
}

const hostOf = (text: string): string | undefined => (text === "localhost" ? "127.0.0.1" : isIP(text) > 0 ? text : undefined);
const portOf = (text: string): number | undefined => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined);
const nodesOf = (text: string): number | undefined => (/^\d{1,3}$/.test(text) && Number(text) <= 250 ? Number(text) : undefined);
const mistake = (message: string): Command => ({ name: "mistake", message });
