/** A process under attack: started with a small heap, watched until it ends. Linux only, because it reads /proc. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

export interface VictimOptions {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly heapMegabytes: number;
  /** Options of Node, before the program. @default none */
  readonly nodeArgs?: readonly string[];
}

/** Guarantees: `ended` is set as soon as the process is gone, with its last words. */
export class Victim {
  readonly name: string;
  readonly #child: ChildProcess;
  #words = "";
  ended: string | undefined;

  constructor({ name, args, env = {}, heapMegabytes, nodeArgs = [] }: VictimOptions) {
    this.name = name;
    this.#child = spawn(
      process.execPath,
      [`--max-old-space-size=${heapMegabytes}`, "--v8-pool-size=1", "--disallow-code-generation-from-strings", ...nodeArgs, ...args],
      {
        env: { ...process.env, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        this.#words = (this.#words + chunk.toString("utf8")).slice(-20_000);
      });
    this.#child.once("exit", (code, signal) => {
      this.ended = `${name} ended with ${signal ?? code}: ${this.#words.slice(-600)}`;
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** What it printed last. */
  get words(): string {
    return this.#words;
  }

  /** Resident memory, in megabytes; 0 when it has ended. */
  get megabytes(): number {
    try {
      const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${this.#child.pid}/status`, "utf8")) ?? [];
      return Number(kilobytes) / 1024;
    } catch {
      return 0;
    }
  }

  /** Goes away from its output, as `head -1` does. */
  closeOutput(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  /** Reads its output no more, so that the pipe fills up; or again. */
  readOutput(reads: boolean): void {
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (reads) stream?.resume();
      else stream?.pause();
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async end(): Promise<void> {
    if (this.ended !== undefined) return;
    await new Promise<void>((resolve) => {
      this.#child.once("exit", () => resolve());
      this.#child.kill("SIGKILL");
    });
  }
}
