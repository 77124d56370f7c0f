/**
 * The name under which the command was started. kubectl starts plugins by names on the PATH: `kubectl drover up` is `kubectl-drover up`,
 * and for completion it asks `kubectl_complete-drover`.
 *
 *     process.argv → invocation → { program: "kubectl drover", words }
 */
import { basename } from "node:path";

export interface Invocation {
  readonly program: "drover" | "kubectl drover";
  readonly words: readonly string[];
}

export function invocation([, path = "", ...words]: readonly string[]): Invocation {
  const name = basename(path).replace(/\.(?:js|cmd|exe)$/, "");
  if (name === "kubectl_complete-drover") return { program: "kubectl drover", words: ["__complete", ...words] };
  return { program: name === "kubectl-drover" ? "kubectl drover" : "drover", words };
}

/** Returns a text with the commands as a user of kubectl types them: "drover up --help" as "kubectl drover up --help". */
export function asPlugin(text: string, commands: readonly string[]): string {
  return text.replace(new RegExp(`(?<![\\w/@.-])drover (?=(?:${commands.join("|")})\\b|--)`, "g"), "kubectl drover ");
}
