/** Runs `drover up` once, until its cluster is ready, so that the engine's code cache is written (command-start.mjs). */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const patienceMs = 60_000;

/** Rejects when the command does not become ready, or does not end well. */
export const warmCommand = async (program) => {
  const folder = mkdtempSync(join(tmpdir(), "drover-warm-"));
  try {
    const child = spawn(process.execPath, [program, "up", "--kubeconfig", join(folder, "kubeconfig"), "--json"], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, DROVER_CODE_CACHE: "make" },
    });
    const exit = once(child, "exit");
    child.stdout.once("data", () => void child.kill("SIGINT"));
    child.stdout.resume();
    const impatience = setTimeout(() => void child.kill("SIGKILL"), patienceMs);
    const [code] = await exit;
    clearTimeout(impatience);
    // Windows cannot ask a program to end, so there is no code cache there.
    if (code !== 0 && process.platform !== "win32") throw new Error(`${program} up ended with ${code}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
