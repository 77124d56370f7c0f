/** Reads the repository from disk. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceFile, type House, type Manifest, type SourceFile } from "./house.ts";

const yards: readonly string[] = ["scripts", "bench", "attack", "fuzz", "conformance", "examples"];

export function readHouse(root: string): House {
  const folders = readdirSync(join(root, "packages")).filter((folder) => existsSync(join(root, "packages", folder, "package.json")));
  return {
    packages: folders.map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8")) as Manifest,
      files: readSources(root, `packages/${folder}/src`),
    })),
    yard: yards.flatMap((yard) => readSources(root, yard)),
  };
}

function readSources(root: string, folder: string): SourceFile[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : readSources(root, path);
    return /\.(?:tsx?|mts|mjs)$/.test(entry.name) ? [sourceFile(path, readFileSync(join(root, path), "utf8"))] : [];
  });
}
