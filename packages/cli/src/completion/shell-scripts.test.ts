/** The scripts, run by the shells that this machine has. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shellScript, shells } from "./shell-scripts.ts";

const folder = mkdtempSync(join(tmpdir(), "drover-completion-"));
afterAll(() => rmSync(folder, { recursive: true }));

const hasShell = (name: string): boolean => spawnSync(name, ["-c", "exit 0"]).status === 0;

describe.runIf(hasShell("bash"))("completion in bash", () => {
  beforeAll(() => {
    const main = join(import.meta.dirname, "..", "main.ts");
    const program = `#!/bin/sh\nexec "${process.execPath}" --conditions=drover-source --import "${import.meta.resolve("tsx")}" "${main}" "$@"\n`;
    writeFileSync(join(folder, "drover"), program);
    chmodSync(join(folder, "drover"), 0o755);
    mkdirSync(join(folder, "kept"));
  });
  /** Completes the last word as bash does after Tab. */
  const complete = (...words: string[]): string => {
    const script = `source <(drover completion bash); complete -p drover; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _drover; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script], {
      cwd: folder,
      env: { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}` },
      encoding: "utf8",
    });
    return stderr === "" ? stdout : stderr;
  };

  it("completes commands, options and codes of the program on the PATH", { timeout: 120_000 }, () => {
    expect(complete("drover", "comp")).toBe("complete -F _drover drover\ncompletion\n");
    expect(complete("drover", "up", "--node")).toBe("complete -F _drover drover\n--nodes\n");
    expect(complete("drover", "explain", "DRV0310")).toBe("complete -F _drover drover\nDRV0310\n");
    expect(complete("drover", "up", "--apply", "k")).toBe("complete -F _drover drover\n\n");
  });
});

it.each(shells)("the script for %s asks drover __complete, and the shell can read it", (shell) => {
  const script = shellScript(shell);
  expect(script).toContain("drover __complete");
  expect(script).not.toContain("undefined");
  if (!hasShell(shell)) return;
  const { status, stderr } = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});
