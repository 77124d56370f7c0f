/** `drover envtest path`: prepares the folder for KUBEBUILDER_ASSETS and prints its path. */
import { realpathSync } from "node:fs";
import { errorText } from "@drover/machinery";
import { CommandError } from "../command-error.ts";
import { dropInFiles } from "./drop-in-files.ts";
import type { DropInCommand } from "./drop-in-files.ts";
import { dropInFolder } from "./drop-in-folder.ts";

export interface EnvtestPlace {
  readonly write: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of Node, and of the command as it was started. */
  readonly execPath: string;
  readonly command: string;
  readonly platform: string;
  readonly uid: number | undefined;
  readonly version: string;
  readonly help: DropInCommand["help"];
}

/** Prints nothing but the path. Throws a `CommandError` that names the fix. */
export function printEnvtestPath({ write, env, execPath, command, platform, uid, version, help }: EnvtestPlace): void {
  if (platform === "win32") throw new CommandError("drover envtest needs a shell, which Windows does not have; use it in WSL");
  write(`${dropInFolder({ files: dropInFiles({ node: execPath, command: target(command), help }), version, env, uid })}\n`);
}

/** The file behind node_modules/.bin. */
function target(command: string): string {
  try {
    return realpathSync(command);
  } catch (error) {
    throw new CommandError(`${command} cannot be found: ${errorText(error)}; start drover with its path`, { cause: error });
  }
}
