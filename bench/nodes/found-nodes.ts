/** Finds the Node releases to measure on this machine. It downloads nothing. */
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { delimiter } from "node:path";
import { nodeFolder, nodeMajors, nodePackage, nodeProgram } from "../../scripts/node-package.mjs";

export interface FoundNode {
  /** The exact version: "24.21.0". */
  readonly version: string;
  /** Path of the program. */
  readonly program: string;
}

export interface FoundNodes {
  /** Oldest first. */
  readonly nodes: readonly FoundNode[];
  /** Majors that Drover is tested on and that are not here. */
  readonly missing: readonly string[];
}

export interface NodePlaces {
  /** Programs, folders with `bin/node`, or folders that npm installed the package of Node into, separated as in PATH. @default none */
  readonly listed?: string | undefined;
  /** Where a major is, if the list does not contain it. @default where `npm run test:node` installs it */
  readonly folderOf?: (major: string) => string;
  /** The last resort for its own major. @default the Node that runs this */
  readonly own?: string;
  /** @default what the program says */
  readonly versionOf?: (program: string) => string;
}

/** Each listed Node, and one of each major that is not listed. Throws when an entry of the list is no Node. */
export function findNodes({
  listed = "",
  folderOf = nodeFolder,
  own = process.execPath,
  versionOf = askVersion,
}: NodePlaces = {}): FoundNodes {
  const nodes: FoundNode[] = [];
  const has = (major: string): boolean => nodes.some(({ version }) => majorOf(version) === major);
  for (const place of listed.split(delimiter).filter((entry) => entry !== "")) {
    const program = programIn(place);
    if (program === undefined)
      throw new Error(`DROVER_NODES: ${place} is neither a program nor a folder with bin/node or an installed package of Node`);
    const version = versionOf(program);
    if (!nodes.some((node) => node.version === version)) nodes.push({ version, program });
  }
  for (const major of nodeMajors) {
    const program = has(major) ? undefined : programIn(folderOf(major));
    if (program !== undefined) nodes.push({ version: versionOf(program), program });
  }
  const ownVersion = versionOf(own);
  if (!has(majorOf(ownVersion))) nodes.push({ version: ownVersion, program: own });
  return { nodes: nodes.toSorted((a, b) => compareVersions(a.version, b.version)), missing: nodeMajors.filter((major) => !has(major)) };
}

function programIn(place: string): string | undefined {
  return [place, nodeProgram(place), nodeProgram(nodePackage(place))].find(
    (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  );
}

function majorOf(version: string): string {
  return version.split(".")[0] ?? "";
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split(".").map(Number), b.split(".").map(Number)];
  return left.map((part, index) => part - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function askVersion(program: string): string {
  const version = /^v(\d+\.\d+\.\d+)/.exec(execFileSync(program, ["--version"], { encoding: "utf8", timeout: 30_000 }))?.[1];
  if (version === undefined) throw new Error(`${program} is not Node: its --version is not a version of Node`);
  return version;
}
