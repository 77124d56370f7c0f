/** The seeds of a target: the files of `corpus/<target>/`, read in order of their names. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Seed {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export function readCorpus(target: string): readonly Seed[] {
  const folder = join(import.meta.dirname, "corpus", target);
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, name))) }));
}
