import { describe, expect, it } from "vitest";
import { memoryHost } from "./memory-host.ts";

const signal = new AbortController().signal;
const program = { command: "login", args: [], env: {}, stdin: "none" } as const;

describe("memoryHost", () => {
  it("reads given and written files, and records operations", async () => {
    const host = memoryHost({ "/a": "one" });
    await host.writeFile("/b", "two");
    expect(new TextDecoder().decode(await host.readFile("/a"))).toBe("one");
    expect(new TextDecoder().decode(await host.readFile("/b"))).toBe("two");
    expect([host.trace, host.reads]).toEqual([
      ["write /b", "read /a", "read /b"],
      ["/a", "/b"],
    ]);
  });

  it("fails as the test says, and for missing files", async () => {
    const host = memoryHost({ "/denied": { fails: "denied" } });
    await expect(host.readFile("/denied")).rejects.toMatchObject({ name: "FileError", reason: "denied", path: "/denied" });
    await expect(host.writeFile("/denied", "")).rejects.toMatchObject({ reason: "denied" });
    await expect(host.readFile("/none")).rejects.toMatchObject({ reason: "missing" });
    await expect(host.run(program, { signal })).rejects.toMatchObject({ reason: "missing", path: "login" });
    expect(host.runs).toEqual([program]);
  });

  it("holds locks: against itself, and against other programs with a lock file", async () => {
    const host = memoryHost({ "/held.lock": "" });
    await host.withFileLock("/a", () => expect(host.withFileLock("/a", async () => 0)).rejects.toMatchObject({ reason: "exists" }));
    await expect(host.withFileLock("/held", async () => 0)).rejects.toMatchObject({ reason: "exists", path: "/held.lock" });
    await expect(host.withFileLock("/a", async () => 7)).resolves.toBe(7);
  });

  it("runs programs that are functions", async () => {
    const result = { exitCode: 0, stdout: "hello", stderr: "" };
    await expect(memoryHost({}, { run: () => result }).run(program, { signal })).resolves.toBe(result);
  });
});
