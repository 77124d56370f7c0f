import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileError } from "@drover/client";
import { afterAll, describe, expect, it } from "vitest";
import { runProgram } from "./run-program.ts";

const folder = mkdtempSync(join(tmpdir(), "drover-run-program-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const never = new AbortController().signal;
const node = (script: string, ...args: string[]): Parameters<typeof runProgram>[0] => ({
  command: process.execPath,
  args: ["-e", script, ...args],
  env: {},
  stdin: "none",
});

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie counts as gone.
    return process.platform !== "linux" || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

/** Resolves with the numbers that a program wrote to a file. */
async function pidsIn(name: string): Promise<number[]> {
  const watcher = watch(folder);
  try {
    for (;;) {
      const text = readFileSync(join(folder, name), "utf8");
      if (text.endsWith("\n")) return text.trim().split(" ").map(Number);
      await once(watcher, "change");
    }
  } finally {
    watcher.close();
  }
}

async function gone(pid: number): Promise<boolean> {
  for (let look = 0; look < 5000 && isAlive(pid); look++) await new Promise((resolve) => setImmediate(resolve));
  return !isAlive(pid);
}

/** Waits until the system has reaped a child, which is when Node knows of its exit. */
async function forgotten(pid: number): Promise<void> {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  try {
    for (;;) {
      process.kill(pid, 0);
      await turn();
    }
  } catch {
    await turn();
  }
}

describe("runProgram", () => {
  it("returns output and exit code", async () => {
    expect(await runProgram(node("console.log('out é'); console.error('err'); process.exitCode = 3"), { signal: never })).toEqual({
      exitCode: 3,
      stdout: "out é\n",
      stderr: "err\n",
    });
  });

  it("passes arguments unchanged, without a shell, and extends the environment", async () => {
    const program = {
      ...node(
        "process.stdout.write(JSON.stringify([process.argv.slice(1), process.env.DROVER_TEST, process.env.PATH !== undefined]))",
        "$HOME",
        "a b",
        "*",
      ),
      env: { DROVER_TEST: "x" },
    };
    expect(JSON.parse((await runProgram(program, { signal: never })).stdout)).toEqual([["$HOME", "a b", "*"], "x", true]);
  });

  it("closes standard input for a program that must not prompt", async () => {
    expect(
      (await runProgram(node("process.stdin.on('data', () => {}).on('end', () => console.log('ended'))"), { signal: never })).stdout,
    ).toBe("ended\n");
  });

  it("keeps the end of a long standard error", async () => {
    const { stderr } = await runProgram(node("process.stderr.write('x'.repeat(100000) + 'the end')"), { signal: never });
    expect([stderr.length, stderr.endsWith("the end")]).toEqual([8192, true]);
  });

  it("reports a signal exit like a shell", async () => {
    expect((await runProgram(node("process.kill(process.pid, 'SIGKILL')"), { signal: never })).exitCode).toBe(137);
  });

  it("reports a missing or denied program", async () => {
    const reason = (command: string): Promise<unknown> =>
      runProgram({ command, args: [], env: {}, stdin: "none" }, { signal: never }).catch((error: unknown) =>
        error instanceof FileError ? [error.reason, error.path] : error,
      );
    writeFileSync(join(folder, "plain"), "no program", { mode: 0o644 });
    expect(await reason(join(folder, "gone"))).toEqual(["missing", join(folder, "gone")]);
    expect(await reason("drover-no-such-program")).toEqual(["missing", "drover-no-such-program"]);
    expect(await reason(join(folder, "plain"))).toEqual(["denied", join(folder, "plain")]);
    expect(await reason("a\0b")).toEqual(["other", "a\0b"]);
  });

  it("stops a program with unlimited output", async () => {
    await expect(
      runProgram(node("const b = Buffer.alloc(1e6); (function go() { process.stdout.write(b, go) })()"), { signal: never }),
    ).rejects.toThrow("it wrote more than 16777216 bytes");
  });

  it("does not start if the signal is already aborted", async () => {
    const reason = new Error("too late");
    await expect(
      runProgram({ command: "drover-no-such-program", args: [], env: {}, stdin: "none" }, { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });

  it.skipIf(process.platform === "win32")("stops the program and its children on abort, and rejects with the reason", async () => {
    writeFileSync(join(folder, "pids"), "");
    const controller = new AbortController();
    const script = `const { spawn } = require("node:child_process"); const { writeFileSync } = require("node:fs");
      const child = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); process.send('up')"], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
      child.on("message", () => writeFileSync(process.argv[1], process.pid + " " + child.pid + "\\n")); setInterval(() => {}, 1000)`;
    const running = runProgram(node(script, join(folder, "pids")), { signal: controller.signal });
    const outcome = running.catch((error: unknown) => error);
    const pids = await pidsIn("pids");
    expect(pids.map(isAlive)).toEqual([true, true]);
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    expect(await Promise.all(pids.map(gone))).toEqual([true, true]);
  });

  it.skipIf(process.platform === "win32")("kills a program that ignores SIGTERM, after a grace period", async () => {
    writeFileSync(join(folder, "deaf"), "");
    const controller = new AbortController();
    const script = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); require("node:fs").writeFileSync(process.argv[1], process.pid + "\\n")`;
    const outcome = runProgram(node(script, join(folder, "deaf")), { signal: controller.signal }).catch((error: unknown) => error);
    const [pid = 0] = await pidsIn("deaf");
    controller.abort();
    expect(await outcome).toMatchObject({ name: "AbortError" });
    expect(await gone(pid)).toBe(true);
  });

  it.skipIf(process.platform === "win32")("does not wait for output that a descendant holds open after an abort", async () => {
    writeFileSync(join(folder, "stray"), "");
    const controller = new AbortController();
    const script = `const child = require("node:child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], { stdio: ["ignore", "inherit", "inherit"], detached: true });
      child.unref(); require("node:fs").writeFileSync(process.argv[1], process.pid + " " + child.pid + "\\n")`;
    const outcome = runProgram(node(script, join(folder, "stray")), { signal: controller.signal }).catch((error: unknown) => error);
    const [pid = 0, stray = 0] = await pidsIn("stray");
    await forgotten(pid);
    controller.abort();
    expect(await outcome).toMatchObject({ name: "AbortError" });
    process.kill(stray, "SIGKILL");
  });

  it("runs a program that shares our standard input, and stops it alone", async () => {
    expect((await runProgram({ ...node("console.log('hi')"), stdin: "inherit" }, { signal: never })).stdout).toBe("hi\n");
    const controller = new AbortController();
    writeFileSync(join(folder, "shared"), "");
    const outcome = runProgram(
      {
        ...node(
          `setInterval(() => {}, 1000); require("node:fs").writeFileSync(process.argv[1], process.pid + "\\n")`,
          join(folder, "shared"),
        ),
        stdin: "inherit",
      },
      { signal: controller.signal },
    ).catch((error: unknown) => error);
    const [pid = 0] = await pidsIn("shared");
    controller.abort();
    expect(await outcome).toMatchObject({ name: "AbortError" });
    expect(await gone(pid)).toBe(true);
  });
});
