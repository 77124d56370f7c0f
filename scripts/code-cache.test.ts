import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCodeCache } from "./code-cache.mjs";

describe.skipIf(process.platform === "win32")("openCodeCache", () => {
  let root = "";
  let folder = "";
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "drover-code-"));
    folder = join(root, "drover", "code");
  });
  afterEach(() => rmSync(root, { recursive: true }));
  const data = Buffer.from("compiled");
  const only = (): string => join(folder, readdirSync(folder)[0] ?? "");

  it("returns what was written for the same text, and only for it (SEC14)", () => {
    const cache = openCodeCache({ folder });
    expect(cache.read("text")).toBeUndefined();
    cache.write("text", data);
    expect([cache.read("text"), cache.read("texu")]).toEqual([data, undefined]);
    expect([statSync(folder).mode & 0o777, statSync(only()).mode & 0o777]).toEqual([0o700, 0o600]);
    cache.write("text", Buffer.from("again"));
    expect([cache.read("text"), readdirSync(folder).length]).toEqual([Buffer.from("again"), 1]);
  });

  it("uses no file that another user owns or may write (SEC14)", () => {
    const cache = openCodeCache({ folder });
    cache.write("text", data);
    expect(openCodeCache({ folder, uid: (process.getuid?.() ?? 0) + 1 }).read("text")).toBeUndefined();
    for (const path of [only(), folder])
      for (const mode of [0o720, 0o702]) {
        const before = statSync(path).mode;
        chmodSync(path, mode);
        expect([path, mode, cache.read("text")]).toEqual([path, mode, undefined]);
        chmodSync(path, before);
      }
    expect(cache.read("text")).toEqual(data);
    if (process.getuid?.() !== 0) return;
    chownSync(only(), 12_345, 12_345);
    expect(cache.read("text")).toBeUndefined();
  });

  it("follows no link, and writes nothing into a folder of another user (SEC14)", () => {
    const cache = openCodeCache({ folder });
    cache.write("text", data);
    renameSync(only(), join(root, "file"));
    symlinkSync(join(root, "file"), join(folder, "a.bin"));
    expect(cache.read("text")).toBeUndefined();
    rmSync(folder, { recursive: true });
    mkdirSync(join(root, "elsewhere"), { mode: 0o700 });
    symlinkSync(join(root, "elsewhere"), folder);
    cache.write("text", data);
    expect(readdirSync(join(root, "elsewhere"))).toEqual([]);
    rmSync(folder);
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    cache.write("text", data);
    openCodeCache({ folder, uid: (process.getuid?.() ?? 0) + 1 }).write("text", data);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("uses no damaged file", () => {
    const cache = openCodeCache({ folder });
    cache.write("text", data);
    const whole = readFileSync(only());
    for (const damaged of [
      whole.subarray(0, -1),
      whole.subarray(0, 32),
      whole.subarray(0, 5),
      Buffer.alloc(0),
      Buffer.concat([whole, data]),
    ]) {
      writeFileSync(only(), damaged);
      expect(cache.read("text")).toBeUndefined();
    }
    whole[35] = (whole[35] ?? 0) ^ 1;
    writeFileSync(only(), whole);
    expect(cache.read("text")).toBeUndefined();
  });

  it("does nothing where it cannot write", () => {
    writeFileSync(join(root, "drover"), "");
    const cache = openCodeCache({ folder });
    cache.write("text", data);
    expect(cache.read("text")).toBeUndefined();
  });

  it("removes the oldest files beyond its size, and no others (SEC14)", () => {
    const cache = openCodeCache({ folder });
    const large = Buffer.alloc(9 * 2 ** 20);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, "notes"), large);
    for (const [index, text] of ["a", "b", "c", "d"].entries()) {
      cache.write(text, large);
      for (const name of readdirSync(folder)) if (statSync(join(folder, name)).mtimeMs > 1e12) utimesSync(join(folder, name), index, index);
    }
    expect(["a", "b", "c", "d"].map((text) => cache.read(text) !== undefined)).toEqual([false, true, true, true]);
    expect(readdirSync(folder)).toContain("notes");
    cache.write("e", Buffer.alloc(33 * 2 ** 20));
    expect(cache.read("e")).toBeUndefined();
  });
});
