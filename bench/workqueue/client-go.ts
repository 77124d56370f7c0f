/**
 * client-go's queue, as a program that runs the task it is given.
 *
 *     bench/workqueue.ts → startClientGo → main.go
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface Measured {
  readonly seconds: number;
  /** Lateness of delayed keys in milliseconds; only for `delay`. */
  readonly p50?: number;
  readonly p99?: number;
  readonly max?: number;
}

export interface ClientGo {
  readonly measure: (command: string) => Promise<Measured>;
  readonly stop: () => void;
}

/** Starts the program, building it the first time; or returns why it cannot. */
export function startClientGo(): ClientGo | string {
  if (spawnSync("go", ["version"]).status !== 0)
    return "Go is not installed, so client-go is not measured: only the bound on memory is checked.";
  const program = spawn(build(), { stdio: ["pipe", "pipe", "inherit"] });
  const lines: AsyncIterator<string, undefined> = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  return {
    measure: async (command) => {
      program.stdin.write(`${command}\n`);
      const line = (await lines.next()).value;
      if (line === undefined) throw new Error(`the Go program ended while it measured ${command}`);
      return JSON.parse(line) as Measured;
    },
    stop: () => program.stdin.end(),
  };
}

function build(): string {
  const folder = import.meta.dirname;
  const hash = createHash("sha256");
  for (const name of ["go.mod", "go.sum", "main.go"]) hash.update(readFileSync(join(folder, name)));
  const into = join(
    process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
    "drover",
    `bench-workqueue-${hash.digest("hex").slice(0, 12)}`,
  );
  const binary = join(into, "bench-workqueue");
  if (existsSync(binary)) return binary;
  mkdirSync(into, { recursive: true });
  // Built in another folder and then moved, so that an interrupted build leaves nothing that looks complete.
  const building = `${binary}-${process.pid}`;
  const { status } = spawnSync("go", ["build", "-o", building, "."], {
    cwd: folder,
    stdio: "inherit",
    env: { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-mod=mod -buildvcs=false" },
  });
  if (status !== 0) throw new Error("building bench/workqueue failed");
  renameSync(building, binary);
  return binary;
}
