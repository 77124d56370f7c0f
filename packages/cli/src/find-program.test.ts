import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { findProgram } from "./find-program.ts";

it("findProgram returns the first executable file of that name on the PATH", () => {
  const folder = mkdtempSync(join(tmpdir(), "drover-find-"));
  const find = (...folders: string[]): string | undefined =>
    findProgram("kubectl", { env: { PATH: ["", ...folders.map((name) => join(folder, name))].join(delimiter) }, platform: "linux" });
  try {
    for (const name of ["a", "b", "c", "c/kubectl"]) mkdirSync(join(folder, name));
    for (const name of ["a", "b"]) writeFileSync(join(folder, name, "kubectl"), "");
    chmodSync(join(folder, "a", "kubectl"), 0o644);
    chmodSync(join(folder, "b", "kubectl"), 0o755);
    expect(find("a", "c", "nowhere", "b")).toBe(join(folder, "b", "kubectl"));
    expect(find("a", "c")).toBeUndefined();
    expect(findProgram("kubectl", { env: {}, platform: "linux" })).toBeUndefined();
    writeFileSync(join(folder, "a", "kubectl.exe"), "", { mode: 0o755 });
    expect(findProgram("kubectl", { env: { Path: join(folder, "a") }, platform: "win32" })).toBe(join(folder, "a", "kubectl.exe"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
