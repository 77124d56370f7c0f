import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findOperators, operatorsFolder, writeOperatorFile } from "./operator-file.ts";

describe.skipIf(process.platform === "win32")("files of running operators", () => {
  let runtimeFolder = "";
  beforeEach(() => void (runtimeFolder = mkdtempSync(join(tmpdir(), "drover-operators-"))));
  afterEach(() => rmSync(runtimeFolder, { recursive: true }));
  const env = (): Record<string, string> => ({ XDG_RUNTIME_DIR: runtimeFolder });
  const folder = (): string => join(runtimeFolder, "drover");
  const shop = { pid: process.pid, name: "shop", address: "127.0.0.1:4679", startedAt: 5 };

  it("writeOperatorFile writes a file that only its user can read, and removes it at the end", async () => {
    const remove = await writeOperatorFile(shop, env());
    const path = join(folder(), `${process.pid}.json`);
    expect([statSync(path).mode & 0o777, statSync(folder()).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await findOperators(env())).toEqual([shop]);
    await remove();
    expect(readdirSync(folder())).toEqual([]);
    expect(await findOperators(env())).toEqual([]);
  });

  it("findOperators ignores processes that are gone, and the next operator removes their files", async () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    mkdirSync(folder(), { mode: 0o700 });
    writeFileSync(join(folder(), `${pid}.json`), JSON.stringify({ ...shop, pid }));
    expect(await findOperators(env())).toEqual([]);
    await writeOperatorFile(shop, env());
    expect(readdirSync(folder())).toEqual([`${process.pid}.json`]);
  });

  it("findOperators ignores files that lead elsewhere, are too large or say nothing", async () => {
    mkdirSync(folder(), { mode: 0o700 });
    const put = (name: string, text: string): void => writeFileSync(join(folder(), name), text);
    put("1.json", "{");
    put("2.json", "null");
    put("3.json", JSON.stringify({ ...shop, address: "192.0.2.1:80" }));
    put("4.json", JSON.stringify({ ...shop, address: "127.0.0.1:80@evil.example" }));
    put("5.json", JSON.stringify({ ...shop, name: "x".repeat(5000) }));
    put("6.json", JSON.stringify({ ...shop, pid: -1 }));
    writeFileSync(join(runtimeFolder, "target"), JSON.stringify(shop));
    symlinkSync(join(runtimeFolder, "target"), join(folder(), "7.json"));
    put("other.json", JSON.stringify(shop));
    expect(await findOperators(env())).toEqual([]);
  });

  it("the folder must be a folder of this user, and has the user's id without XDG_RUNTIME_DIR", async () => {
    const real = join(runtimeFolder, "real");
    mkdirSync(real);
    symlinkSync(real, folder());
    await expect(writeOperatorFile(shop, env())).rejects.toThrow("set XDG_RUNTIME_DIR");
    expect(operatorsFolder({})).toBe(join(tmpdir(), `drover-${process.getuid?.() ?? ""}`));
  });
});
