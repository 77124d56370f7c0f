/**
 * Arguments of `drover tape`.
 *
 *     drover tape save FILE --deployment op → readTapeOptions → TapeOptions, or an error text
 */
import { definedOnly } from "@drover/machinery";
import { readOptions } from "../read-options.ts";
import type { Flags } from "../read-options.ts";
import { readName } from "./asked-name.ts";
import { operatorFlags, readOperator } from "./operator-choice.ts";
import type { OperatorChoice } from "./operator-choice.ts";
import type { TapeSelection } from "./tape-filter.ts";

/** Options of every action: which runs, and how to print. */
export interface TapeOutput extends TapeSelection {
  /** Whether to print JSON. */
  readonly json: boolean;
}

/** What to do with which tapes. */
export type TapeOptions =
  | (TapeOutput & { readonly action: "save"; readonly file: string; readonly from: OperatorChoice })
  | (TapeOutput & { readonly action: "show"; readonly file: string })
  | (TapeOutput & { readonly action: "diff"; readonly a: string; readonly b: string });

const flags: Flags = {
  controller: { type: "string" },
  ...operatorFlags,
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
};
const actions = ["save", "show", "diff"] as const;

/** Returns the options, "help", or a text that says what is wrong and how to fix it. */
export function readTapeOptions(words: readonly string[]): TapeOptions | "help" | { readonly mistake: string } {
  const read = readOptions("drover tape", flags, words);
  if (typeof read === "string") return { mistake: read };
  const { given, rest } = read;
  if (given.has("help")) return "help";
  const [first, ...others] = rest;
  const action = actions.find((known) => known === first);
  if (action === undefined)
    return { mistake: `drover tape needs one of ${actions.join(", ")}, not "${first ?? ""}"; see drover tape --help` };
  const command = `drover tape ${action}`;
  const files = others.slice(0, action === "diff" ? 2 : 1);
  const [file, second] = files;
  if (file === undefined || (action === "diff" && second === undefined))
    return { mistake: `${command} needs ${action === "diff" ? "two files: drover tape diff A B" : `a file: ${command} FILE`}` };
  const from = readOperator(read);
  if (typeof from === "string") return { mistake: from };
  const named = others.slice(files.length);
  const namespace = given.get("namespace")?.at(-1);
  const object = named.length === 0 ? undefined : readName(command, named, namespace);
  if (typeof object === "string") return { mistake: object };
  if (namespace !== undefined && object === undefined && from.target === undefined)
    return { mistake: `-n is the namespace of KIND/NAME; ${command} got none` };
  const unused = Object.keys(operatorFlags).find((name) => name !== "namespace" && given.has(name));
  const output = { json: given.has("json"), ...definedOnly({ object, controller: given.get("controller")?.at(-1) }) };
  if (action === "save") return { action, file, from, ...output };
  if (unused !== undefined) return { mistake: `${command} asks no operator, so --${unused} has no effect; remove it` };
  return action === "show" ? { action, file, ...output } : { action, a: file, b: second ?? "", ...output };
}
