/** One measurement of a controller of ConfigMaps in a process of its own, against the replay server, for bench/controller.ts. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { heapFlags } from "../processes/engine-flags.ts";

export type ControllerMode = "read" | "patch";

export interface ControllerPart {
  /** Events per second; 0 for full speed. */
  readonly rate: number;
  readonly events: number;
  readonly repeats: number;
}

/** One measurement of a process. */
export interface ControllerStep {
  readonly name: string;
  readonly mode: ControllerMode;
  readonly parts: readonly ControllerPart[];
}

interface MeasuredPart {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly runs: number;
  readonly patches: number;
  /** p50 and p99 in microseconds. */
  readonly latencies: readonly [number, number];
}

export interface ControllerMeasured {
  readonly syncMs: number;
  readonly rssBytes: number;
  readonly rssAfterBytes: number;
  readonly parts: readonly MeasuredPart[];
}

/** Number of ConfigMaps. */
export const controllerObjects = 10_000;

const root = join(import.meta.dirname, "..", "..");

/** The command of our side on the given Node, with the heap sizes of an operator's `run()`. */
export function ourController(node: string, tape: "plain" | "tape" = "plain"): readonly string[] {
  return [node, ...heapFlags, join(import.meta.dirname, "drover.mjs"), tape];
}

export function partOf({ parts }: ControllerMeasured, index: number): MeasuredPart {
  const part = parts[index];
  if (part === undefined) throw new Error(`part ${index} was not measured`);
  return part;
}

/** Per event with all its consequences. */
export function cpuMicros(one: ControllerMeasured, index: number, { events, repeats }: ControllerPart): number {
  return (partOf(one, index).cpuSeconds * 1e6) / (events * repeats);
}

/**
 * Throws unless every event led to its number of runs and patches. What the program writes to its error output is printed after `name`.
 *
 * @param url - of the replay server
 */
export async function measureController(
  { name, command }: { readonly name: string; readonly command: readonly string[] },
  step: ControllerStep,
  url: string,
): Promise<ControllerMeasured> {
  const [program = "", ...args] = command;
  const { mode, parts } = step;
  // The request for events says how many, and how fast.
  const settings = {
    url: `${url}/s/${randomUUID()}/${controllerObjects}/0/0`,
    objects: controllerObjects,
    mode,
    workers: mode === "patch" ? 8 : 1,
    parts,
    startedMs: performance.timeOrigin + performance.now(),
  };
  const { stdout, stderr } = await promisify(execFile)(program, [...args, JSON.stringify(settings)], {
    timeout: 300_000,
    cwd: root,
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (stderr !== "") process.stderr.write(`${name}: ${stderr}`);
  const result = JSON.parse(stdout) as ControllerMeasured;
  for (const [index, { rate, events, repeats }] of parts.entries()) {
    const found = partOf(result, index);
    const patches = mode === "patch" ? events * repeats : 0;
    const runs = events * repeats + patches;
    if (found.runs !== runs || found.patches !== patches)
      throw new Error(`${name}, ${rate}/s: ${found.runs} runs and ${found.patches} patches instead of ${runs} and ${patches}`);
  }
  return result;
}
