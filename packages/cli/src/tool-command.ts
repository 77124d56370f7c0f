/**
 * Commands for the work around operators: each has a folder with its options.
 *
 *     ["explain", "DRV0310"] → parseTool → ToolCommand;   ToolCommand → runTool → exit code
 */
import type { ExplainOptions } from "./explain/explain.ts";
import { readExplainOptions } from "./explain/explain-options.ts";

/** Names of the commands. */
export const tools = ["explain"] as const;
export type Tool = (typeof tools)[number];

/** A parsed command. */
export type ToolCommand = { readonly name: "explain"; readonly options: ExplainOptions };

/** What every command writes to. */
export interface ToolPlace {
  readonly write: (text: string) => void;
  readonly warn: (message: string) => void;
}

/** Returns the command, its help, or a mistake; undefined if the first word is another command. */
export function parseTool(
  words: readonly string[],
): ToolCommand | { readonly name: "help"; readonly about: Tool } | { readonly name: "mistake"; readonly message: string } | undefined {
  const [first, ...rest] = words;
  const name = tools.find((known) => known === first);
  if (name === undefined) return undefined;
  const options = readExplainOptions(rest);
  if (options === "help") return { name: "help", about: name };
  return "mistake" in options ? { name: "mistake", message: options.mistake } : { name, options };
}

/** Reports whether a command is one of these. */
export const isTool = (command: { readonly name: string }): command is ToolCommand => tools.some((name) => name === command.name);

/** Resolves with the exit code. The commands are loaded on demand. */
export async function runTool(command: ToolCommand, { write, warn }: ToolPlace): Promise<number> {
  return (await import("./explain/explain.ts")).explain(command.options, { write, warn });
}
