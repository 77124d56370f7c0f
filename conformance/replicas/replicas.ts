/**
 * Replicas of a controller, each a process that can be killed, stopped and resumed, and is started again when it ends.
 *
 *     Replica → sh (guard) → node examples/…        its requests carry its name as their user agent
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { RealProgram, until } from "../servers/real-program.ts";

const run = promisify(execFile);
const halting = join(import.meta.dirname, "halt.ts");

export interface ReplicaOptions {
  /** Its name, passed as `--name`. */
  readonly name: string;
  /** The folder of its log. */
  readonly folder: string;
  readonly kubeconfig: string;
  /** Arguments after `--name`. */
  readonly args: readonly string[];
}

/** Without a call of `end`, it ends with this process, even if it is stopped. */
export class Replica {
  readonly name: string;
  readonly #start: () => Running;
  #running: Running;
  #restarts = 0;

  /** @param program - a TypeScript file of this repository */
  constructor(program: string, { name, folder, kubeconfig, args }: ReplicaOptions) {
    this.name = name;
    const node = [
      process.execPath,
      "--conditions=drover-source",
      "--import",
      import.meta.resolve("tsx"),
      "--import",
      halting,
      program,
      "--name",
      name,
      ...args,
    ];
    this.#start = () => {
      const life = `${name}-life-${this.#restarts + 1}`;
      const pidFile = join(folder, `${life}.pid`);
      // The pid of the process itself, not of the shell that guards it.
      return {
        pidFile,
        program: new RealProgram(life, ["-c", 'echo $$ > "$0"; exec "$@"', pidFile, ...node], folder, {
          path: "sh",
          env: { KUBECONFIG: kubeconfig },
        }),
      };
    };
    this.#running = this.#start();
  }

  /** Number of restarts. */
  get restarts(): number {
    return this.#restarts;
  }

  /** As `kill -9`: it cannot clean up. */
  async kill(): Promise<void> {
    await this.#signal("SIGKILL");
    await this.#running.program.end();
  }

  /** The process stops itself with SIGSTOP during a write, unknowingly; resolves when it has stopped. Assumes that it has work. */
  async halt(): Promise<void> {
    const pid = await this.#signal("SIGUSR2");
    await until([this.#running.program], `${this.name} was standing still:`, async () =>
      (await run("ps", ["-o", "state=", "-p", String(pid)])).stdout.startsWith("T"),
    );
  }

  /** Resumes it. */
  async resume(): Promise<void> {
    await this.#signal("SIGCONT");
  }

  /** Asks it to end, kills it after five seconds, and resolves when it has ended. */
  end(): Promise<void> {
    return this.#running.program.end();
  }

  /** Starts it again, as a kubelet does, when it ended because it lost the lease. Throws when it ended for another reason. */
  superviseOnce(): void {
    const { program } = this.#running;
    if (!program.hasEnded) return;
    if (!program.tail(200).includes("leader election lost")) program.check();
    this.#restarts++;
    this.#running = this.#start();
  }

  /** The last lines of its log. */
  tail(): string {
    return this.#running.program.tail();
  }

  /** Resolves with the pid. */
  async #signal(signal: NodeJS.Signals): Promise<number> {
    const { program, pidFile } = this.#running;
    await until([program], `the process of ${this.name} was`, () =>
      Promise.resolve(existsSync(pidFile) && readFileSync(pidFile, "utf8").endsWith("\n")),
    );
    const pid = Number(readFileSync(pidFile, "utf8"));
    process.kill(pid, signal);
    return pid;
  }
}

interface Running {
  readonly program: RealProgram;
  readonly pidFile: string;
}
