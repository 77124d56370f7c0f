/**
 * What can follow on a command line.
 *
 *     ["up", "--no"] → completeWords → --nodes;   Completion → completionLines → lines of kubectl's protocol
 */
import { oneLine } from "../terminal-text.ts";
import { commandsIn, flagsIn } from "./command-flags.ts";
import type { ListedFlag } from "./command-flags.ts";

/** One word that can follow, and what it means. */
export interface Candidate {
  readonly word: string;
  readonly about?: string;
}

/** What can follow. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** What the shell completes besides. */
  readonly paths: "none" | "files" | "folders";
}

/** Where words come from. */
export interface CompletionSource {
  /** Returns the help of a command; empty for one that does not exist. */
  readonly help: (command: string) => string;
  /** The codes of `drover explain`. */
  readonly codes: () => Promise<readonly Candidate[]>;
}

/** Words that follow a command, by command; "FILE" and "FOLDER" are paths. */
const positional: Readonly<Record<string, readonly (readonly string[])[]>> = {
  data: [["verify", "export", "import", "compact"], ["FOLDER"]],
  envtest: [["path", "etcd"]],
  completion: [["bash", "zsh", "fish"]],
  kinds: [["FILE"]],
  tape: [["save", "show", "diff"], ["FILE"]],
};
/** Commands whose last words repeat: `drover kinds a.yaml b.yaml`. */
const repeated: ReadonlySet<string> = new Set(["kinds", "tape"]);
/** Longest answer; shells show no more. */
const candidatesMax = 500;

/** @param words - those after the name of the program; the last one is what is being typed, and may be empty */
export async function completeWords(words: readonly string[], source: CompletionSource): Promise<Completion> {
  // bash separates "--port=1" into three words.
  const given = words.filter((word) => word !== "=");
  const typed = given.at(-1) ?? "";
  const [command, ...before] = given.slice(0, -1);
  const commands = commandsIn(source.help("drover"));
  const named = (candidates: readonly Candidate[]): Completion => ({
    candidates: candidates.filter(({ word }) => word.startsWith(typed)).slice(0, candidatesMax),
    paths: "none",
  });
  const flat = commands.map(({ name, about }) => ({ word: name, about }));
  if (command === undefined) return named(typed.startsWith("-") ? [{ word: "--help" }, { word: "--version" }] : flat);
  if (command === "help") return named(flat);
  const topic = commands.find(({ name }) => name === command)?.name;
  if (topic === undefined) return named([]);
  const flags = flagsIn(source.help(topic));
  const open = flags.find(({ name, value }) => name === before.at(-1) && value !== undefined);
  if (open !== undefined) return { candidates: [], paths: pathsOf(open.value) };
  if (typed.startsWith("-")) {
    const listed = flags.filter(({ name }) => name !== "--help").map(({ name, about }) => ({ word: name, about }));
    return named([...listed, { word: "--help", about: "" }]);
  }
  if (command === "explain") return named(await source.codes());
  return positionalAfter(command, plainWords(before, flags), named);
}

function positionalAfter(command: string, before: readonly string[], named: (candidates: readonly Candidate[]) => Completion): Completion {
  const places = Object.hasOwn(positional, command) ? (positional[command] ?? []) : [];
  const words = places[before.length] ?? (repeated.has(command) ? places.at(-1) : undefined) ?? [];
  const [first] = words;
  const paths = pathsOf(first);
  return paths === "none" ? named(words.map((word) => ({ word }))) : { candidates: [], paths };
}

/** Returns the words that are neither flags nor their values. */
const plainWords = (words: readonly string[], flags: readonly ListedFlag[]): readonly string[] =>
  words.filter((word, index) => {
    const flag = flags.find(({ name }) => name === words[index - 1]);
    return !word.startsWith("-") && flag?.value === undefined;
  });

function pathsOf(value: string | undefined): Completion["paths"] {
  if (value === "FOLDER") return "folders";
  return value === "FILE" || value === "PATH" ? "files" : "none";
}

/** Directives of kubectl's protocol, which is that of Cobra: 4 completes no files, 16 only folders. */
const directives: Readonly<Record<Completion["paths"], number>> = { files: 0, none: 4, folders: 16 };

/** Returns a line for each word, with a tab and what it means, and a last one with the directive. */
export const completionLines = ({ candidates, paths }: Completion): readonly string[] => [
  ...candidates.map(({ word, about }) => (about === undefined || about === "" ? word : `${word}\t${oneLine(about)}`)),
  `:${directives[paths]}`,
];
