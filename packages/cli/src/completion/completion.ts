/** `drover completion` prints the script for a shell; `drover __complete`, which the scripts and kubectl call, prints what can follow. */
import { completeWords, completionLines } from "./complete-words.ts";
import type { CompletionOptions } from "./completion-options.ts";
import { shellScript } from "./shell-scripts.ts";

/** Output of the command, and the help of all others. */
export interface CompletionPlace {
  readonly write: (text: string) => void;
  /** Returns the help of a command; empty for one that does not exist. */
  readonly help: (command: string) => string;
}

/** Resolves when it is printed. */
export async function completion(options: CompletionOptions, { write, help }: CompletionPlace): Promise<void> {
  if ("shell" in options) return write(shellScript(options.shell));
  const codes = async (): Promise<readonly { readonly word: string; readonly about: string }[]> =>
    (await import("../explain/problems.ts")).problems.map(({ code, title }) => ({ word: code, about: title }));
  const found = await completeWords(options.words, { help, codes });
  write(
    completionLines(found)
      .map((line) => `${line}\n`)
      .join(""),
  );
}
