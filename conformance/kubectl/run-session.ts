/**
 * Runs a kubectl session: each line in a shell, in a folder with the session's files; kubectl's namespace is "session".
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { maskOutput } from "./kubectl-session-mask.ts";
import { temporaryFolder } from "../servers/real-program.ts";

/** The lines of a session and their files. */
export interface Session {
  /** Name of the folder with its files, of its recording and of its test. */
  readonly name: string;
  readonly lines: readonly string[];
}

/** The masked output of a line; both streams together, as a user sees them. */
export interface SessionLine {
  readonly line: string;
  readonly code: number;
  readonly output: string;
}

export interface SessionPlace {
  /** The path of the kubectl to run. */
  readonly kubectl: string;
  /** The text of a kubeconfig; its context is used. */
  readonly kubeconfig: string;
}

/** Runs every line in turn, with its own home folder. */
export async function runSession({ name, lines }: Session, { kubectl, kubeconfig }: SessionPlace): Promise<readonly SessionLine[]> {
  const { path: home, remove } = temporaryFolder(name);
  try {
    const [work, bin, config] = [join(home, "work"), join(home, "bin"), join(home, "kubeconfig")];
    cpSync(join(import.meta.dirname, name), work, { recursive: true });
    mkdirSync(bin);
    symlinkSync(kubectl, join(bin, "kubectl"));
    writeFileSync(config, kubeconfig, { mode: 0o600 });
    const env = { HOME: home, KUBECONFIG: config, PATH: `${bin}:/usr/bin:/bin`, TMPDIR: home, LC_ALL: "C" };
    const type = (line: string): Promise<SessionLine> =>
      new Promise((resolve) => {
        execFile("sh", ["-c", `exec 2>&1\n${line}`], { cwd: work, env, timeout: 40_000, maxBuffer: 1 << 24 }, (error, output) =>
          resolve({ line, code: error === null ? 0 : Number(error.code ?? 1), output: maskOutput(line, output, home) }),
        );
      });
    await type("kubectl config set-context --current --namespace=session");
    const printed: SessionLine[] = [];
    for (const line of lines) printed.push(await type(line));
    return printed;
  } finally {
    remove();
  }
}
