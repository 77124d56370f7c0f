/**
 * Commands for the work around operators: each has a folder with its options.
 *
 *     ["explain", "DRV0310"] → parseTool → ToolCommand;   ToolCommand → runTool → exit code
 */
import { readCompletionOptions } from "./completion/completion-options.ts";
import type { CompletionOptions } from "./completion/completion-options.ts";
import type { DoctorOptions } from "./doctor/doctor.ts";
import { readDoctorOptions } from "./doctor/doctor-options.ts";
import type { ExplainOptions } from "./explain/explain.ts";
import { readExplainOptions } from "./explain/explain-options.ts";

/** Names of the commands. */
export const tools = ["explain", "doctor", "completion"] as const;
export type Tool = (typeof tools)[number];

/** A parsed command. */
export type ToolCommand =
  | { readonly name: "explain"; readonly options: ExplainOptions }
  | { readonly name: "doctor"; readonly options: DoctorOptions }
  | { readonly name: "completion"; readonly options: CompletionOptions };

/** The help of a command was asked for. */
export interface ToolHelp {
  readonly name: "tool help";
  readonly about: Tool;
}
interface Mistake {
  readonly name: "mistake";
  readonly message: string;
}

/** What every command writes to. */
export interface ToolPlace {
  readonly write: (text: string) => void;
  readonly warn: (message: string) => void;
  /** Returns the help of a command; empty for one that does not exist. */
  readonly help: (command: string) => string;
  /** Aborts when the user ends the command. */
  readonly ending: () => AbortSignal;
}

/** Returns the command, its help, or a mistake; undefined if the first word is another command. */
export function parseTool(words: readonly string[]): ToolCommand | ToolHelp | Mistake | undefined {
  const [first, ...rest] = words;
  const asked = tools.find((known) => known === rest[0]);
  if (asked !== undefined && (first === "help" || first === "--help" || first === "-h")) return { name: "tool help", about: asked };
  // Called by shells and kubectl only.
  if (first === "__complete") return { name: "completion", options: { words: rest } };
  const name = tools.find((known) => known === first);
  if (name === undefined) return undefined;
  switch (name) {
    case "explain":
      return parsed(name, readExplainOptions(rest));
    case "doctor":
      return parsed(name, readDoctorOptions(rest));
    case "completion":
    default:
      return parsed(name, readCompletionOptions(rest));
  }
}

function parsed<N extends Tool, Options extends object>(
  name: N,
  options: Options | "help" | { readonly mistake: string },
): { readonly name: N; readonly options: Options } | ToolHelp | Mistake {
  if (options === "help") return { name: "tool help", about: name };
  return "mistake" in options ? { name: "mistake", message: options.mistake } : { name, options };
}

/** Reports whether a command is one of these. */
export const isTool = (command: { readonly name: string }): command is ToolCommand => tools.some((name) => name === command.name);

/** Resolves with the exit code. The commands are loaded on demand. */
export async function runTool(command: ToolCommand, { write, warn, help, ending }: ToolPlace): Promise<number> {
  switch (command.name) {
    case "explain":
      return (await import("./explain/explain.ts")).explain(command.options, { write, warn });
    case "doctor":
      return await (await import("./doctor/doctor.ts")).doctor(command.options, { write, signal: ending() });
    case "completion":
    default:
      await (await import("./completion/completion.ts")).completion(command.options, { write, help });
      return 0;
  }
}
