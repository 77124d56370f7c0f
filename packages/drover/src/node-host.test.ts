import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { FileError, loadKubeconfig, useContext } from "@drover/client";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { nodeHost } from "./node-host.ts";

const root = mkdtempSync(join(tmpdir(), "drover-node-host-"));
const host = nodeHost();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, "t-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
const reason = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "fine",
    (error: unknown) => (error instanceof FileError ? error.reason : `no FileError: ${String(error)}`),
  );

describe("nodeHost", () => {
  it("describes this process", () => {
    expect(host).toMatchObject({ cwd: process.cwd(), platform: process.platform, homeDir: process.env["HOME"] ?? homedir() });
    expect(host.env["PATH"]).toBe(process.env["PATH"]);
    expect(typeof host.isInteractive).toBe("boolean");
  });

  it("reads bytes", async () => {
    writeFileSync(join(folder, "a"), Uint8Array.of(0, 255, 10));
    expect(await host.readFile(join(folder, "a"))).toEqual(Uint8Array.of(0, 255, 10));
  });

  it("reports why a file cannot be read", async () => {
    expect(await reason(host.readFile(join(folder, "gone")))).toBe("missing");
    expect(await reason(host.readFile(folder))).toBe("not-a-file");
    writeFileSync(join(folder, "file"), "");
    expect(await reason(host.readFile(join(folder, "file", "below")))).toBe("missing");
    await expect(host.readFile(join(folder, "gone"))).rejects.toThrow(`read ${join(folder, "gone")}: it does not exist (ENOENT)`);
  });

  it("rejects pipes and devices instead of blocking", async (ctx) => {
    if (process.platform === "win32") ctx.skip("Windows has no pipes in its file system");
    execFileSync("mkfifo", [join(folder, "pipe")]);
    expect(await reason(host.readFile(join(folder, "pipe")))).toBe("not-a-file");
    expect(await reason(host.readFile("/dev/zero"))).toBe("not-a-file");
  });

  it("reports a denied read", async (ctx) => {
    if (process.getuid?.() === 0) ctx.skip("root may read everything");
    writeFileSync(join(folder, "a"), "", { mode: 0o000 });
    expect(await reason(host.readFile(join(folder, "a")))).toBe("denied");
  });

  it("writes a file for its owner only, creates folders, and leaves no temporary file (X17)", async () => {
    const path = join(folder, "x", "y", "config");
    await host.writeFile(path, "é");
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777, readdirSync(join(folder, "x", "y"))]).toEqual([
      "é",
      0o600,
      ["config"],
    ]);
    expect(statSync(join(folder, "x")).mode & 0o022).toBe(0);
    chmodSync(path, 0o644);
    await host.writeFile(path, "again");
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["again", 0o600]);
  });

  it("writes through a symbolic link, which stays one", async () => {
    writeFileSync(join(folder, "real"), "old");
    symlinkSync(join(folder, "real"), join(folder, "link"));
    await host.writeFile(join(folder, "link"), "new");
    expect([readFileSync(join(folder, "real"), "utf8"), lstatSync(join(folder, "link")).isSymbolicLink()]).toEqual(["new", true]);
  });

  it("rejects writing over a folder, and writes atomically", async () => {
    expect(await reason(host.writeFile(folder, "x"))).toBe("not-a-file");
    const path = join(folder, "config");
    await host.writeFile(path, "0".repeat(100_000));
    const writes = Promise.all(["1", "2", "3"].map((digit) => host.writeFile(path, digit.repeat(100_000))));
    for (let look = 0; look < 20; look++) {
      const seen = new TextDecoder().decode(await host.readFile(path));
      expect([seen.length, new Set(seen).size]).toEqual([100_000, 1]);
    }
    await writes;
    expect(readdirSync(folder)).toEqual(["config"]);
  });

  it("holds the lock file during the work, and removes it after a failure too", async () => {
    const path = join(folder, "new", "config");
    await host.withFileLock(path, async () => {
      expect(existsSync(`${path}.lock`)).toBe(true);
      expect(await reason(host.withFileLock(path, () => Promise.resolve()))).toBe("exists");
    });
    await expect(host.withFileLock(path, () => Promise.reject(new RangeError("mine")))).rejects.toThrow("mine");
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("updates a kubeconfig: load, switch context, load again", async () => {
    const path = join(folder, "config");
    writeFileSync(
      path,
      "current-context: a\ncontexts: [{ name: a }, { name: b }]\nclusters: [{ name: c, cluster: { certificate-authority: ca.crt } }]\n",
    );
    await useContext({ host, path }, "b");
    const config = await loadKubeconfig({ host, path, log: recordingLog(new ManualClock()) });
    expect([config["current-context"], config.clusters[0]?.cluster["certificate-authority"]]).toEqual(["b", join(folder, "ca.crt")]);
    expect(readFileSync(path, "utf8")).toContain("certificate-authority: ca.crt");
  });

  it("lets only one of many writers at a time change the file", async () => {
    const path = join(folder, "config");
    writeFileSync(path, "contexts: [{ name: a }, { name: b }]\n");
    const outcomes = await Promise.allSettled(["a", "b", "a", "b"].map((name) => useContext({ host, path }, name)));
    for (const outcome of outcomes) if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ reason: "locked" });
    expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true);
    expect(readdirSync(folder)).toEqual(["config"]);
  });
});
