/**
 * One side as a process, and the lines it exchanges with us: it prints one when it is idle, and one after each request
 * to enqueue everything again.
 *
 *     new SideProcess(command, settings) → next(): its first line; again(): one more → end()
 */
import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** The measurements of a side itself. */
export interface Told {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly runs: number;
  /** By method, without watches. */
  readonly requests: Readonly<Record<string, number>>;
  readonly rssBytes: number;
}

const timeout = 900_000;

/** Stops when `end` is called, or after 15 minutes. */
export class SideProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #name: string;

  constructor(command: readonly string[], settings: object) {
    const [program = "", ...args] = command;
    this.#name = program;
    this.#child = spawn(program, [...args, JSON.stringify(settings)], {
      stdio: ["pipe", "pipe", "inherit"],
      timeout,
      env: { ...process.env, NODE_ENV: "production" },
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async next(): Promise<Told> {
    const line = await this.#lines.next();
    if (line.done === true) throw new Error(`${this.#name} ended before it printed its measurements`);
    return JSON.parse(line.value) as Told;
  }

  again(): Promise<Told> {
    this.#child.stdin.write("again\n");
    return this.next();
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill();
    await ended;
  }
}
