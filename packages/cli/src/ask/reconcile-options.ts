/**
 * Arguments of `drover reconcile`.
 *
 *     drover reconcile widget/shop --wait → readReconcileOptions → ReconcileOptions, or an error text
 */
import { definedOnly } from "@drover/machinery";
import { readOptions } from "../read-options.ts";
import type { Flags } from "../read-options.ts";
import { readName } from "./asked-name.ts";
import type { AskedName } from "./asked-name.ts";
import { operatorFlags, readOperator } from "./operator-choice.ts";
import type { OperatorChoice } from "./operator-choice.ts";

/** What to reconcile. */
export interface ReconcileOptions {
  readonly from: OperatorChoice;
  /** Undefined for all objects. */
  readonly object: AskedName | undefined;
  /** Only this controller. @default all of the kind, or all */
  readonly controller?: string;
  /** Seconds to wait for the end of the runs; undefined does not wait. */
  readonly waitSeconds: number | undefined;
  /** Whether to print JSON. */
  readonly json: boolean;
}

const flags: Flags = {
  all: { type: "boolean" },
  controller: { type: "string" },
  wait: { type: "boolean" },
  timeout: { type: "string" },
  ...operatorFlags,
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
};
const command = "drover reconcile";
const presetSeconds = 60;

/** Returns the options, "help", or a text that says what is wrong and how to fix it. */
export function readReconcileOptions(words: readonly string[]): ReconcileOptions | "help" | { readonly mistake: string } {
  const read = readOptions(command, flags, words);
  if (typeof read === "string") return { mistake: read };
  const { given, rest } = read;
  if (given.has("help")) return "help";
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const from = readOperator(read);
  if (typeof from === "string") return { mistake: from };
  const isAll = given.has("all");
  if (isAll && rest[0] !== undefined) return { mistake: `${command} takes an object or --all, not both: "${rest[0]}"` };
  if (!isAll && rest.length === 0)
    return { mistake: `${command} needs one of your objects: ${command} KIND/NAME [-n NAMESPACE], or --all` };
  if (isAll && given.has("namespace") && from.target === undefined) return { mistake: "-n is the namespace of KIND/NAME; --all has none" };
  const object = isAll ? undefined : readName(command, rest, last("namespace"));
  if (typeof object === "string") return { mistake: object };
  const timeout = last("timeout") ?? String(presetSeconds);
  if (!/^[1-9]\d{0,4}$/.test(timeout)) return { mistake: `--timeout needs seconds from 1 to 99999, not "${timeout}"` };
  if (given.has("timeout") && !given.has("wait")) return { mistake: "--timeout has no effect without --wait" };
  return {
    from,
    object,
    waitSeconds: given.has("wait") ? Number(timeout) : undefined,
    json: given.has("json"),
    ...definedOnly({ controller: last("controller") }),
  };
}
