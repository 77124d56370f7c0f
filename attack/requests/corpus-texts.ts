/** The inputs that the fuzzers start from, as parts of requests. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Every file of a folder below fuzz/corpus, in the order of their names. */
export function readCorpus(name: string): readonly Uint8Array[] {
  const folder = join(import.meta.dirname, "..", "..", "fuzz", "corpus", name);
  return readdirSync(folder)
    .toSorted()
    .map((file) => new Uint8Array(readFileSync(join(folder, file))));
}
