import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { testRuntime } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import { openDataFolder } from "./data-folder.ts";
import type { DataFolder } from "./data-folder.ts";
import { compactData, exportData, importData, verifyData } from "./data-tools.ts";

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "drover-data-"));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const open = (path: string): Promise<DataFolder> => openDataFolder(path, { runtime: testRuntime() });

async function filled(): Promise<string> {
  const folder = join(newFolder(), "data");
  const { store, close } = await open(folder);
  await store.put("/a", "1", { expected: 0 });
  await store.put("/é\ud800", "\udc00 2 ü", { expected: 0, ttlMs: 3_600_000 });
  await store.put("/a", "3", { expected: 2 });
  await close();
  return folder;
}

describe("openDataFolder", () => {
  it("finds objects, authority, administrator, token key and port of the last run", async () => {
    const folder = await filled();
    const first = await open(folder);
    const signature = first.tokenSigner.sign("text");
    await first.rememberPort(12_345);
    await first.close();
    await first.close();
    const second = await open(folder);
    expect((await second.store.get("/a")).stored).toMatchObject({ value: "3", createRevision: 2, modRevision: 4 });
    expect((await second.store.get("/é\ud800")).stored?.value).toBe("\udc00 2 ü");
    expect(second.tokenSigner.verify("text", signature)).toBe(true);
    expect(second.identity).toMatchObject({ admin: first.identity.admin, port: 12_345 });
    expect(second.identity.authority.certificatePem).toBe(first.identity.authority.certificatePem);
    await second.close();
  });

  it("lets only its owner read the folder", async () => {
    const folder = await filled();
    chmodSync(folder, 0o755);
    await (await open(folder)).close();
    expect([folder, join(folder, "store")].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
    const files = [join(folder, "identity.json"), ...readdirSync(join(folder, "store")).map((name) => join(folder, "store", name))];
    for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("refuses a folder that this or another live process uses, and names the process (G17)", async () => {
    const folder = await filled();
    const first = await open(folder);
    await expect(open(folder)).rejects.toThrow(`in use by process ${process.pid}, this process,`);
    await expect(verifyData(folder)).rejects.toThrow("in use by process");
    await first.close();
    writeFileSync(join(folder, "lock"), JSON.stringify({ pid: process.ppid, host: hostname(), started: "" }));
    await expect(open(folder)).rejects.toThrow(`in use by process ${process.ppid}: stop it first`);
    writeFileSync(join(folder, "lock"), JSON.stringify({ pid: 1, host: "another-machine", started: "" }));
    await expect(open(folder)).rejects.toThrow("in use by process 1 on another-machine");
    writeFileSync(join(folder, "lock"), "a note");
    await expect(open(folder)).rejects.toThrow("is not a lock of drover");
  });

  it("takes over the lock of a process that has died, also if its number was given away again", async () => {
    const folder = await filled();
    const { pid } = spawnSync(process.execPath, ["--version"]);
    writeFileSync(join(folder, "lock"), JSON.stringify({ pid, host: hostname(), started: "" }));
    await (await open(folder)).close();
    if (process.platform === "linux") {
      writeFileSync(join(folder, "lock"), JSON.stringify({ pid: process.pid, host: hostname(), started: "an earlier boot/7" }));
      await (await open(folder)).close();
    }
    expect(readdirSync(folder).toSorted()).toEqual(["identity.json", "store"]);
  });

  it("refuses files, folders of other programs and damaged identities", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "notes.txt"), "");
    await expect(open(folder)).rejects.toThrow("has other files and is not a data folder of drover");
    await expect(open(join(folder, "notes.txt"))).rejects.toThrow("is a file");
    await expect(open(join(folder, "notes.txt", "below"))).rejects.toThrow("is a file");
    const data = await filled();
    writeFileSync(join(data, "identity.json"), "{}");
    await expect(open(data)).rejects.toThrow(/identity.json cannot be used: its version is/);
    expect(readdirSync(data)).not.toContain("lock");
    if (process.getuid?.() === 0) return;
    const closed = newFolder();
    chmodSync(closed, 0o500);
    await expect(open(closed)).rejects.toThrow("this user cannot write there");
  });
});

describe("drover data", () => {
  const linesOf = async (folder: string): Promise<string[]> => {
    const lines: string[] = [];
    for await (const line of exportData(folder)) lines.push(line);
    return lines;
  };
  async function* each(lines: readonly string[]): AsyncGenerator<string, void, undefined> {
    yield* lines;
  }

  it("imports what it exported, with revisions and expiry times", async () => {
    const lines = await linesOf(await filled());
    const copy = join(newFolder(), "copy");
    expect(await importData(copy, each(lines))).toBe(2);
    expect(await linesOf(copy)).toEqual(lines);
    expect(await verifyData(copy)).toMatchObject({ keys: 2, revision: 4, problems: [] });
    await expect(importData(copy, each(lines))).rejects.toThrow("has data already");
  });

  it("refuses exports that are incomplete, out of order or something else", async () => {
    const [head = "", first = "", second = ""] = await linesOf(await filled());
    const cases: readonly (readonly [readonly string[], string])[] = [
      [[], "line 1 is not JSON"],
      [["{}"], "line 1 is not the header"],
      [[head, first], "the export is incomplete: it has 1 of 2 keys"],
      [[head, second, first], "line 3 has the key /a, which is out of order"],
      [[head, "[]", second], "line 2 is not an object"],
      [[head, first.replace('"modRevision":4', '"modRevision":9'), second], "line 2 lacks a key"],
    ];
    for (const [lines, message] of cases) await expect(importData(join(newFolder(), "new"), each(lines))).rejects.toThrow(message);
  });

  it("names every damaged file", async () => {
    const folder = await filled();
    const names = readdirSync(join(folder, "store"));
    for (const name of names) {
      const path = join(folder, "store", name);
      const bytes = readFileSync(path);
      bytes[20] = (bytes[20] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    }
    const { problems } = await verifyData(folder);
    expect(problems).toHaveLength(names.length);
    for (const name of names) expect(problems.join("\n")).toContain(`${name} is damaged at byte 0`);
    await expect(open(folder)).rejects.toThrow(`the data folder ${folder}`);
    mkdirSync(join(folder, "other"));
    await expect(verifyData(join(folder, "other"))).rejects.toThrow("is not a data folder of drover");
  });

  it("compacts to one checkpoint at the same revision", async () => {
    const folder = await filled();
    const { before, after } = await compactData(folder, testRuntime());
    expect(after).toBeLessThan(before);
    expect(readdirSync(join(folder, "store")).toSorted()).toEqual(["0000000000000004.checkpoint", "0000000000000004.log"]);
    expect(await verifyData(folder)).toMatchObject({ keys: 2, revision: 4, problems: [] });
  });
});
