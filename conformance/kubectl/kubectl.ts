/** The available kubectls: that of our server's version, the oldest still in use, and the machine's own. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { programPath, programsMissing } from "../servers/real-program.ts";

export interface Kubectl {
  readonly name: string;
  readonly path: string;
  /** "1.36.3"; empty when it is missing. */
  readonly version: string;
  /** Why it cannot be run here; undefined when it can. */
  readonly missing: string | undefined;
}

const oldPath = programPath("kubectl-1.20");
const systemPath = "/usr/bin/kubectl";
const system = versionOf(systemPath);

/** The version that a kubectl prints; empty when it is missing. */
function versionOf(path: string): string {
  if (!existsSync(path)) return "";
  const { stdout } = spawnSync(path, ["version", "--client", "-o", "json"], { encoding: "utf8" });
  return /"gitVersion": "v([^"]+)"/.exec(stdout)?.[1] ?? "";
}

const old = versionOf(oldPath);

/** The kubectl of the assets is built from a module, which does not set its version. */
export const kubectls: readonly Kubectl[] = [
  { name: "kubectl 1.36.3", path: programPath("kubectl"), version: "1.36.3", missing: programsMissing("kubectl") },
  { name: "Debian's kubectl 1.20", path: oldPath, version: old, missing: programsMissing("kubectl-1.20") },
  {
    name: `this machine's kubectl ${system}`.trimEnd(),
    path: systemPath,
    version: system,
    missing: !existsSync(systemPath)
      ? `needs ${systemPath}`
      : system === old
        ? `it is Debian's ${old}, which has a turn of its own`
        : undefined,
  },
];
