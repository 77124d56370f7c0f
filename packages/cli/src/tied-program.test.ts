import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { startTied } from "./tied-program.ts";

const isLong = process.env["DROVER_LONG"] === "1";
/** Starts a background process and waits for it; prints the ids of both. */
const command = "sleep 1000 & echo $$ $!; wait";
const isGone = (pid: number): boolean => {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
};
const allGone = async (...pids: readonly number[]): Promise<unknown> =>
  await vi.waitUntil(() => pids.every(isGone), { timeout: 10_000, interval: 20 });

describe.skipIf(process.platform === "win32")("startTied", () => {
  it("ends the command and its background processes when the process that started it is killed (SEC25)", async () => {
    const script = `import { startTied } from ${JSON.stringify(join(import.meta.dirname, "tied-program.ts"))};
      startTied(${JSON.stringify(command)}, process.env).child.stdout.pipe(process.stdout);`;
    const starter = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [text] = (await once(starter.stdout.setEncoding("utf8"), "data")) as [string];
    const pids = text.trim().split(" ").map(Number);
    expect(pids.map(isGone)).toEqual([false, false]);
    starter.kill("SIGKILL");
    // The group as well: the guard ends last.
    await allGone(...pids, -(pids[0] ?? 0));
  });

  it.runIf(isLong)("ends what the command has left in the background when it is released", async () => {
    const program = startTied("sleep 1000 >/dev/null 2>&1 & echo $$ $!", process.env);
    const exit = once(program.child, "exit");
    const [text] = (await once(program.child.stdout.setEncoding("utf8"), "data")) as [string];
    await exit;
    const [own = 0, left = 0] = text.trim().split(" ").map(Number);
    expect([own, left].map(isGone)).toEqual([true, false]);
    program.release("leftovers");
    await allGone(left, -own);
  });

  it.runIf(isLong)("leaves no guard behind when the command has ended", async () => {
    const program = startTied("exit 7", process.env);
    expect(await once(program.child, "exit")).toEqual([7, null]);
    program.release("guard");
    await vi.waitUntil(() => isGone(-(program.child.pid ?? 0)), { timeout: 10_000, interval: 10 });
  });
});
