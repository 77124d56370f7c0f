/** Arguments of `drover explain`. */
import { definedOnly } from "@drover/machinery";
import { readOptions } from "../read-options.ts";
import type { ExplainOptions } from "./explain.ts";

/** Returns the options, "help", or a text that says what is wrong and how to fix it. Several words are one question. */
export function readExplainOptions(words: readonly string[]): ExplainOptions | "help" | { readonly mistake: string } {
  const read = readOptions("drover explain", { json: { type: "boolean" }, help: { type: "boolean", short: "h" } }, words);
  if (typeof read === "string") return { mistake: read };
  const { given, rest } = read;
  if (given.has("help")) return "help";
  return { json: given.has("json"), ...definedOnly({ code: rest.length === 0 ? undefined : rest.join(" ") }) };
}
