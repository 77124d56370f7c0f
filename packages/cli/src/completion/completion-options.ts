/** Arguments of `drover completion`. */
import { shells } from "./shell-scripts.ts";
import type { Shell } from "./shell-scripts.ts";

/** What to print: the script for a shell, or what can follow words. */
export type CompletionOptions = { readonly shell: Shell } | { readonly words: readonly string[] };

/** Returns the options, "help", or a text that says what is wrong and how to fix it. */
export function readCompletionOptions(words: readonly string[]): CompletionOptions | "help" | { readonly mistake: string } {
  const [first, extra] = words;
  if (first === "--help" || first === "-h") return "help";
  const shell = shells.find((known) => known === first);
  if (shell === undefined || extra !== undefined)
    return { mistake: `drover completion needs one of ${shells.join(", ")}, not "${words.join(" ")}"; see drover completion --help` };
  return { shell };
}
