import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { openDataFolder } from "@drover/apiserver/node";
import { testRuntime } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import type { DataOptions } from "./command-line.ts";
import { data } from "./data.ts";

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "drover-data-command-"));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function filled(): Promise<string> {
  const folder = join(newFolder(), "data");
  const { store, close } = await openDataFolder(folder, { runtime: testRuntime() });
  await store.put("/a", "1", { expected: 0 });
  await store.put("/b", "ü".repeat(100_000), { expected: 0 });
  await close();
  return folder;
}

async function run(options: Pick<DataOptions, "action" | "folder" | "file">, input: readonly string[] = []) {
  const [stdout, warnings]: [PassThrough, string[]] = [new PassThrough({ highWaterMark: 2 ** 22 }), []];
  const code = await data(options, {
    stdin: Readable.from(input.map((text) => Buffer.from(text))),
    stdout,
    warn: (message) => warnings.push(message),
  });
  return { code, text: String(stdout.read() ?? ""), warnings };
}

describe("drover data", () => {
  it("verifies, exports through a pipe, imports and compacts a folder", async () => {
    const folder = await filled();
    expect(await run({ action: "verify", folder, file: undefined })).toMatchObject({
      code: 0,
      text: expect.stringContaining("is in order: 2 keys in ") as string,
    });
    const { text } = await run({ action: "export", folder, file: undefined });
    const copy = join(newFolder(), "copy");
    expect(await run({ action: "import", folder: copy, file: undefined }, [text])).toMatchObject({ code: 0, text: `${copy} has 2 keys\n` });
    const pieces = join(newFolder(), "pieces");
    expect(await run({ action: "import", folder: pieces, file: undefined }, text.match(/.{1,7}/gs) ?? [])).toMatchObject({ code: 0 });
    expect(await run({ action: "export", folder: pieces, file: undefined })).toMatchObject({ text });
    expect((await run({ action: "export", folder: copy, file: undefined })).text).toBe(text);
    expect((await run({ action: "compact", folder: copy, file: undefined })).text).toMatch(/ has \d+ bytes, \d+ before\n$/);
  });

  it("writes an export to a new file that only its owner reads, and overwrites none", async () => {
    const folder = await filled();
    const file = join(newFolder(), "backup");
    await run({ action: "export", folder, file });
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    await expect(run({ action: "export", folder, file })).rejects.toThrow(`--file ${file}: `);
    const copy = join(newFolder(), "copy");
    expect(await run({ action: "import", folder: copy, file })).toMatchObject({ text: `${copy} has 2 keys\n` });
  });

  it("says what is wrong with a folder and with an export", async () => {
    await expect(run({ action: "verify", folder: join(newFolder(), "none"), file: undefined })).rejects.toThrow("none");
    const file = join(newFolder(), "foreign");
    writeFileSync(file, "hello\n");
    await expect(run({ action: "import", folder: join(newFolder(), "new"), file })).rejects.toThrow("line 1 is not JSON");
  });
});
