import { Worker } from "node:worker_threads";
import type { Target } from "./exchange.ts";

/** What the thread reports: the longest silence, the question that is open, and the first wrong answer. */
export interface CanaryReport {
  readonly silentMs: number;
  /** Most processor time that the server used between a question and its answer. */
  readonly busyMs: number;
  /** Milliseconds since 1970. */
  readonly askedAt: number | undefined;
  readonly failure: string | undefined;
}

/**
 * Asks the server a small question all the time while an attack goes on, and remembers the longest silence. Runs in its own thread:
 * what it measures must not wait for the attacker, who encrypts megabytes in this one.
 */
export class Canary {
  readonly #worker: Worker;
  #report: CanaryReport = { silentMs: 0, busyMs: 0, askedAt: undefined, failure: undefined };

  /** Asks for `path`, as the user of the target. @default "/api/v1/namespaces/default" */
  constructor({ host, port, ca, cert, key }: Target, pid: number, path: string = "/api/v1/namespaces/default") {
    this.#worker = new Worker(new URL("canary-thread.mjs", import.meta.url), { workerData: { host, port, ca, cert, key, pid, path } });
    this.#worker.on("message", (report: CanaryReport) => {
      this.#report = report;
    });
    this.#worker.on("error", (error) => {
      this.#report = { ...this.#report, failure: `the canary failed: ${error instanceof Error ? error.message : String(error)}` };
    });
  }

  /** Longest time between a question and its answer, the current question included. */
  get silentMs(): number {
    const { silentMs, askedAt } = this.#report;
    return Math.max(silentMs, askedAt === undefined ? 0 : Date.now() - askedAt);
  }

  /** Most processor time of the server between a question and its answer: the silence on a machine that does nothing else. */
  get busyMs(): number {
    return this.#report.busyMs;
  }

  /** The first wrong answer; undefined if there was none. */
  get failure(): string | undefined {
    return this.#report.failure;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
