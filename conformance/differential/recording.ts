/** The real server's masked answers as data: one file per chapter in conformance/recorded/differential, one line per step. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Exchange } from "./exchange.ts";
import type { Chapter } from "./probe.ts";

/** The masked exchanges of probes, by the probes' names. */
export type Recording = ReadonlyMap<string, readonly Exchange[]>;

const fileOf = (chapter: string): string => join(import.meta.dirname, "..", "recorded", "differential", `${chapter}.json`);

/** The recorded answers of the real server; empty for a chapter that was never recorded. */
export function readRecording({ name }: Chapter): Recording {
  const file = fileOf(name);
  return new Map(
    existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, readonly Exchange[]>>) : [],
  );
}

/** Writes the answers of a chapter, in the order of its probes. */
export function writeRecording({ name, probes }: Chapter, recording: Recording): void {
  writeFileSync(fileOf(name), printRecording(probes.map((probe) => [probe.name, recording.get(probe.name) ?? []])));
}

/** JSON with one line per step, so that a change of one answer changes one line. */
export function printRecording(entries: readonly (readonly [string, readonly Exchange[]])[]): string {
  const blocks = entries.map(
    ([name, exchanges]) => `${JSON.stringify(name)}: [\n${exchanges.map((exchange) => `  ${JSON.stringify(exchange)}`).join(",\n")}\n]`,
  );
  return `{\n${blocks.join(",\n")}\n}\n`;
}
