/**
 * Whether a connection offers HTTP/2: the option decides, else the environment of the process, so that whoever deploys a program can choose
 * without changing it.
 */
import type { Host } from "@drover/client";

/** Environment variable that turns HTTP/2 on for all connections of a process that do not choose themselves. */
const variable = "DROVER_HTTP2";

/** Returns the choice. Throws a `TypeError` for a value of the variable that is neither on nor off. */
export function offersHttp2(option: boolean | undefined, { env }: Pick<Host, "env">): boolean {
  if (option !== undefined) return option;
  const value = env[variable] ?? "";
  if (value === "1" || value === "true") return true;
  if (value === "" || value === "0" || value === "false") return false;
  throw new TypeError(`${variable} is ${JSON.stringify(value.slice(0, 40))}; set it to "1" or "0", or unset it`);
}
