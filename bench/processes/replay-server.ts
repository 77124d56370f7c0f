/** A replay server of the benchmarks (bench/cache/go), as a separate process: lists copies of one object, and sends events. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export interface ReplayOptions {
  /** Folder of the built program; the template goes there, too. */
  readonly outside: string;
  /** The object as JSON, with the marks that the server replaces. */
  readonly template: string;
  /** Maximum number of objects in a list, for the program that encodes them in advance. @default scale-replay, which lists any number */
  readonly objects?: number;
}

/** Resolves when it listens; it ends when the child is killed. */
export async function startReplayServer({
  outside,
  template,
  objects,
}: ReplayOptions): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const { kind } = JSON.parse(template) as { readonly kind: string };
  const file = join(outside, `${kind}.json`);
  writeFileSync(file, template);
  const [program, ...args] = objects === undefined ? ["scale-replay"] : ["replay", "-objects", String(objects)];
  const child = spawn(join(outside, program), ["-template", file, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const chunk of child.stdout) return { child, url: String(chunk).trim() };
  throw new Error("the replay server ended before it listened");
}
