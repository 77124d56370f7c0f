/**
 * Sends questions to Kubernetes' own libraries (conformance/go-libraries/oracle, a Go program that `npm run assets`
 * builds) and compares the answers.
 *
 * The answers to a table of questions are recorded in conformance/recorded, so that it is checked without Go; if the
 * oracle is built, the recording itself is checked as well. Random questions need the oracle.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Answer {
  readonly output?: unknown;
  readonly error?: string;
}

const binary = process.env["DROVER_ORACLE"] ?? "";

/** Why random questions cannot be asked here; undefined when they can. */
export const oracleMissing: string | undefined = existsSync(binary) ? undefined : "needs the Go oracle: npm run assets";

/** Sends questions to the oracle. */
export function askOracle(subject: string, inputs: readonly unknown[]): Answer[] {
  const lines = inputs.map((input) => `${JSON.stringify({ subject, input })}\n`).join("");
  const { stdout, stderr, status, error } = spawnSync(binary, { input: lines, encoding: "utf8", maxBuffer: 1 << 30 });
  if (error !== undefined || status !== 0) throw new Error(`oracle failed: ${error?.message ?? stderr}`);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
}

/**
 * The recorded answers to a table of questions, in order. If the oracle is built, its answers must equal the recorded
 * ones; `DROVER_RECORD=1` records them again.
 */
export function recordedAnswers(subject: string, inputs: readonly unknown[]): readonly Answer[] {
  const file = join(import.meta.dirname, "..", "recorded", `${subject}.json`);
  const record = process.env["DROVER_RECORD"] === "1";
  if (oracleMissing !== undefined && record) throw new Error(oracleMissing);
  if (record) {
    const rows = askOracle(subject, inputs).map((answer, index) => `  ${JSON.stringify({ input: inputs[index], ...answer })}`);
    writeFileSync(file, `[\n${rows.join(",\n")}\n]\n`);
  }
  const rows = JSON.parse(readFileSync(file, "utf8")) as (Answer & { readonly input: unknown })[];
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  if (
    !same(
      rows.map((row) => row.input),
      inputs,
    )
  )
    throw new Error(`${file}: the questions changed; record again with DROVER_RECORD=1`);
  const answers = rows.map(({ input: _input, ...answer }): Answer => answer);
  if (oracleMissing === undefined && !same(askOracle(subject, inputs), answers))
    throw new Error(`${file}: the oracle answers otherwise now`);
  return answers;
}
