/**
 * The clients that are compared, each installed into its own folder as a user would install it, without running
 * scripts; needs a registry.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

export interface Side {
  /** Its name in the table. */
  readonly name: string;
  /** The client that measure.mjs creates. */
  readonly client: "drover" | "client-node";
  /** Where it is installed. */
  readonly folder: string;
  /** What a controller program imports. */
  readonly doors: readonly string[];
  /** Why it cannot run here. */
  readonly leftOut?: string;
}

/** Ours, from the tarball of drover and nothing else. */
export function installOurs(outside: string): Side {
  const folder = newFolder(outside, "drover");
  execFileSync(process.execPath, [join("scripts", "with-setup.mjs"), "build"], { cwd: root, stdio: "inherit" });
  const [packed] = JSON.parse(npm(["pack", "--json", "--pack-destination", folder], join(root, "packages", "drover"))) as readonly {
    readonly filename: string;
  }[];
  npm(["install", "--prefer-offline", `./${packed?.filename ?? ""}`], folder);
  return { name: "drover", client: "drover", folder, doors: ["drover", "drover/kinds"] };
}

/** @kubernetes/client-node in the given version, which may need a newer Node than this one. */
export function installTheirs(outside: string, version: string, node: readonly [major: number, minor: number] = [0, 0]): Side {
  const name = `client-node ${version}`;
  const folder = newFolder(outside, `client-node-${version}`);
  npm(["install", `@kubernetes/client-node@${version}`], folder);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isOld = major < node[0] || (major === node[0] && minor < node[1]);
  return {
    name,
    client: "client-node",
    folder,
    doors: ["@kubernetes/client-node"],
    ...(isOld ? { leftOut: `${name} is installed and not run: it needs Node ${node.join(".")}, this is ${process.versions.node}` } : {}),
  };
}

function newFolder(outside: string, name: string): string {
  const folder = join(outside, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "outside", private: true, type: "module" }));
  copyFileSync(join(import.meta.dirname, "measure.mjs"), join(folder, "measure.mjs"));
  return folder;
}

function npm(args: readonly string[], cwd: string): string {
  return execFileSync("npm", [...args, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}
