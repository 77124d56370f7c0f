/** Arguments of `drover doctor`. */
import { readOptions } from "../read-options.ts";
import type { Flags } from "../read-options.ts";
import type { DoctorOptions } from "./doctor.ts";

const flags: Flags = {
  kubeconfig: { type: "string" },
  context: { type: "string" },
  rules: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
};

/** Returns the options, "help", or a text that says what is wrong and how to fix it. */
export function readDoctorOptions(words: readonly string[]): DoctorOptions | "help" | { readonly mistake: string } {
  const read = readOptions("drover doctor", flags, words);
  if (typeof read === "string") return { mistake: read };
  const { given, rest } = read;
  if (given.has("help")) return "help";
  if (rest[0] !== undefined) return { mistake: `drover doctor takes only options, not "${rest[0]}"; see drover doctor --help` };
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  return { kubeconfig: last("kubeconfig"), context: last("context"), rules: last("rules"), json: given.has("json") };
}
