/**
 * Replicas of a controller, each a process of its own that can be killed, stopped and woken, and is started again when
 * it ends by itself.
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
  /** Its name, which it is given as `--name`. */
  readonly name: string;
  /** Where its log goes. */
  readonly folder: string;
  readonly kubeconfig: string;
  /** What stands behind `--name` on its command line. */
  readonly args: readonly string[];
}

/** Should `end` be forgotten, it ends with this process, also when it has been stopped. */
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
      // The number of the process itself is needed, not that of the shell that guards it.
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

  /** How often it has been started again. */
  get restarts(): number {
    return this.#restarts;
  }

  /** As `kill -9` does: it has no time for anything. */
  async kill(): Promise<void> {
    await this.#signal("SIGKILL");
    await this.#running.program.end();
  }

  /** It stops itself, by SIGSTOP, with a write in hand, and does not know it; resolves when it stands still. Assumes that it has work. */
  async halt(): Promise<void> {
    const pid = await this.#signal("SIGUSR2");
    await until([this.#running.program], `${this.name} was standing still:`, async () =>
      (await run("ps", ["-o", "state=", "-p", String(pid)])).stdout.startsWith("T"),
    );
  }

  /** It goes on where it stood. */
  async resume(): Promise<void> {
    await this.#signal("SIGCONT");
  }

  /** Asks it to end, after five seconds makes it, and resolves when it has. */
  end(): Promise<void> {
    return this.#running.program.end();
  }

  /** Starts it again, as a kubelet does, when it has ended because it lost the lease. Throws when it has ended for another reason. */
  superviseOnce(): void {
    const { program } = this.#running;
    if (!program.hasEnded) return;
    if (!program.tail(200).includes("leader election lost")) program.check();
    this.#restarts++;
    this.#running = this.#start();
  }

  /** The last lines it has said. */
  tail(): string {
    return this.#running.program.tail();
  }

  /** Resolves with the number of the process. */
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
