/** Reads `--authorization-mode` of `drover up` and `drover apiserver`. */
import type { AuthorizationMode } from "@drover/apiserver";

const known: readonly AuthorizationMode[] = ["AlwaysAllow", "Node", "RBAC"];

/** Returns the modes in the order of the text, or an error text that names the option. */
export function readModes(text: string, option: string): readonly AuthorizationMode[] | string {
  const words = text.split(",");
  const modes = known.filter((mode) => words.includes(mode));
  if (modes.length !== words.length) return `${option} needs some of ${known.join(", ")}, separated by commas, not "${text}"`;
  return words.flatMap((word) => modes.filter((mode) => mode === word));
}
