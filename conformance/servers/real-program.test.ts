import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RealProgram, programsMissing } from "./real-program.ts";

describe("a program of a cluster", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "drover-real-program-"));
    vi.stubEnv("KUBEBUILDER_ASSETS", folder);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  const install = (name: string, script: string): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const waiting = (): string => `echo $$ > ${join(folder, "pid")}\nexec sleep 300`;
  const pid = async (): Promise<number> => {
    await expect
      .poll(() => existsSync(join(folder, "pid")) && readFileSync(join(folder, "pid"), "utf8").trim(), { timeout: 10_000 })
      .toMatch(/^\d+$/);
    return Number(readFileSync(join(folder, "pid"), "utf8"));
  };
  const isAlive = (id: number): boolean => {
    try {
      process.kill(id, 0);
      return !(existsSync(`/proc/${id}/stat`) && /\) Z /.test(readFileSync(`/proc/${id}/stat`, "utf8")));
    } catch {
      return false;
    }
  };

  it("ends on request", async () => {
    install("forever", waiting());
    const program = new RealProgram("forever", [], folder);
    const id = await pid();
    program.check();
    expect(program.hasEnded).toBe(false);
    await program.end();
    expect(isAlive(id)).toBe(false);
  });

  it("has its output in the error when it ends too soon", async () => {
    install("broken", 'echo "no such flag: $1"; exit 3');
    const program = new RealProgram("broken", ["--x"], folder);
    await vi.waitFor(() => expect(() => program.check()).toThrow("broken ended with 3:\nno such flag: --x"), { timeout: 10_000 });
    await program.end();
  });

  it("ends with the process that started it, also when that is killed", { timeout: 30_000 }, async () => {
    install("forever", waiting());
    const source = `import { RealProgram } from ${JSON.stringify(join(import.meta.dirname, "real-program.ts"))};\nnew RealProgram("forever", [], ${JSON.stringify(folder)});\n`;
    writeFileSync(join(folder, "starter.mts"), source);
    const starter = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), join(folder, "starter.mts")], {
      env: { ...process.env, KUBEBUILDER_ASSETS: folder },
      stdio: "inherit",
    });
    const id = await pid();
    const gone = once(starter, "exit");
    starter.kill("SIGKILL");
    await gone;
    await expect.poll(() => isAlive(id), { timeout: 10_000 }).toBe(false);
  });

  it("may be any file, with its own variables", async () => {
    const program = new RealProgram("greeting", ["-c", 'echo "hello $WHO"; exit 4'], folder, { path: "sh", env: { WHO: "world" } });
    await vi.waitFor(() => expect(program.hasEnded).toBe(true), { timeout: 10_000 });
    expect(() => program.check()).toThrow("greeting ended with 4:\nhello world");
    await program.end();
  });

  it("is named when it is missing, with how to build it", () => {
    install("here", "true");
    expect([programsMissing("here"), programsMissing("here", "there")]).toEqual([
      undefined,
      "needs there in KUBEBUILDER_ASSETS: npm run assets",
    ]);
  });
});
