/**
 * Arguments of the commands that ask a running operator.
 *
 *     drover why widget/shop -n web --json → readAskOptions → AskOptions, or an error text
 */
import { definedOnly } from "@drover/machinery";
import { readOptions } from "../read-options.ts";
import type { Flags } from "../read-options.ts";
import { readName } from "./asked-name.ts";
import type { AskedName } from "./asked-name.ts";
import { operatorFlags, readOperator } from "./operator-choice.ts";
import type { OperatorChoice } from "./operator-choice.ts";

/** What to ask. */
export type Question = "status" | "why" | "queue" | "requests" | "trace" | "tree" | "top" | "plan" | "diff";

/** The questions. */
export const questions: readonly Question[] = ["status", "why", "queue", "requests", "trace", "tree", "top", "plan", "diff"];

/** Options of a question. */
export interface AskOptions extends OperatorChoice {
  readonly question: Question;
  /** Present for why and tree; optional for trace. */
  readonly object?: AskedName;
  /** Only keys of this controller. @default all */
  readonly controller?: string;
  /** Maximum number of keys, requests or runs. @default the endpoint's */
  readonly limit?: number;
  /** Whether to print only requests that failed. */
  readonly failed: boolean;
  /** Whether to wait for further runs. */
  readonly follow: boolean;
  /** Whether to print the answer as JSON. */
  readonly json: boolean;
}

const common: Flags = { ...operatorFlags, json: { type: "boolean" }, help: { type: "boolean", short: "h" } };

/** Options of each question. */
const flags: Readonly<Record<Question, Flags>> = {
  status: common,
  why: { limit: { type: "string" }, controller: { type: "string" }, ...common },
  queue: { controller: { type: "string" }, limit: { type: "string" }, ...common },
  requests: { failed: { type: "boolean" }, limit: { type: "string" }, ...common },
  trace: { controller: { type: "string" }, follow: { type: "boolean", short: "f" }, ...common },
  tree: common,
  top: common,
  plan: { controller: { type: "string" }, limit: { type: "string" }, ...common },
  diff: { controller: { type: "string" }, ...common },
};
const limits: Readonly<Partial<Record<Question, number>>> = { why: 1000, queue: 2000, requests: 5000, plan: 50_000 };

/** Returns the options, "help", or a text that says what is wrong and how to fix it. */
export function readAskOptions(question: Question, words: readonly string[]): AskOptions | "help" | { readonly mistake: string } {
  const command = `drover ${question}`;
  const read = readOptions(command, flags[question], words);
  if (typeof read === "string") return { mistake: read };
  const { given, rest } = read;
  if (given.has("help")) return "help";
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const choice = readOperator(read);
  if (typeof choice === "string") return { mistake: choice };
  const object = objectOf(question, rest, { namespace: last("namespace"), choice });
  if (typeof object === "string") return { mistake: object };
  const limit = last("limit");
  const limitMax = limits[question] ?? 0;
  if (limit !== undefined && !(/^\d{1,5}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= limitMax))
    return { mistake: `--limit needs a number from 1 to ${limitMax}, not "${limit}"` };
  return {
    question,
    failed: given.has("failed"),
    follow: given.has("follow"),
    json: given.has("json"),
    ...choice,
    ...definedOnly({
      object,
      controller: last("controller"),
      limit: limit === undefined ? undefined : Number(limit),
    }),
  };
}

/** Reads KIND/NAME, or KIND NAME as kubectl. */
function objectOf(
  question: Question,
  rest: readonly string[],
  { namespace, choice: { target } }: { readonly namespace: string | undefined; readonly choice: OperatorChoice },
): AskedName | undefined | string {
  const command = `drover ${question}`;
  const takesObject = question === "why" || question === "tree" || question === "trace" || question === "diff";
  if (!takesObject && rest[0] !== undefined) return `${command} takes only options, not "${rest[0]}"; see ${command} --help`;
  if (!takesObject || (question === "trace" && rest.length === 0)) {
    if (namespace === undefined || target !== undefined) return undefined;
    if (!takesObject) return `-n is the namespace of --pod or --deployment; ${command} asks about no object`;
  }
  if (rest.length === 0) return `${command} needs one of your objects: ${command} KIND/NAME [-n NAMESPACE]`;
  return readName(command, rest, namespace);
}
