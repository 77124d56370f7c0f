import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dropInFiles } from "./drop-in-files.ts";
import { dropInFolder } from "./drop-in-folder.ts";

let home = "";
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), "drover-drop-in-"))));
afterEach(() => {
  chmodSync(home, 0o755);
  rmSync(home, { recursive: true });
});
const help = { apiserver: "help of the server\n  --it's `$HOME`\n", etcd: "help of etcd\n" };
const files = (node = process.execPath, command = join(home, "drover.js")): ReadonlyMap<string, string> =>
  dropInFiles({ node, command, help });
const folder = (given = files()): string =>
  dropInFolder({ files: given, version: "1.2.3", env: { XDG_CACHE_HOME: home }, uid: process.getuid?.() });
const contents = (path: string): object =>
  Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name), "utf8")]));

describe("dropInFolder", () => {
  it("creates a folder with the three programs, under a name for its version and content", () => {
    const path = folder();
    expect(path).toMatch(/\/drover\/envtest\/1\.2\.3-[0-9a-f]{16}$/);
    expect(contents(path)).toEqual(Object.fromEntries(files()));
    for (const name of ["kube-apiserver", "etcd", "kubectl"]) expect(statSync(join(path, name)).mode & 0o777).toBe(0o755);
    expect(folder(files("/other/node"))).not.toBe(path);
  });

  it("leaves a complete folder untouched", () => {
    const path = folder();
    utimesSync(join(path, "etcd"), 1, 1);
    expect([folder(), statSync(join(path, "etcd")).mtimeMs]).toEqual([path, 1000]);
  });

  it.each<[string, (file: string) => void]>([
    ["edited by hand", (file) => writeFileSync(file, "#!/bin/sh\necho mine\n")],
    ["cut", (file) => writeFileSync(file, "#!/bin/sh\n")],
    ["not executable", (file) => chmodSync(file, 0o644)],
    ["writable for others", (file) => chmodSync(file, 0o777)],
    ["removed", (file) => rmSync(file)],
    ["replaced by a link", (file) => (rmSync(file), symlinkSync("/bin/true", file))],
    ["replaced by a folder", (file) => (rmSync(file), mkdirSync(join(file, "a"), { recursive: true }))],
  ])("repairs a program that was %s", (_, damage) => {
    const path = folder();
    damage(join(path, "etcd"));
    expect(contents(folder())).toEqual(Object.fromEntries(files()));
    expect(statSync(join(path, "etcd")).mode & 0o777).toBe(0o755);
  });

  it("refuses a folder of another user, a file in its place, and a cache that cannot be written, and names the fix", () => {
    expect(() => dropInFolder({ files: files(), version: "1", env: { XDG_CACHE_HOME: home }, uid: 12_345 })).toThrow(
      "belongs to another user; set XDG_CACHE_HOME",
    );
    const path = folder();
    rmSync(path, { recursive: true });
    writeFileSync(path, "");
    expect(() => folder()).toThrow(`${path} cannot be created`);
    rmSync(join(home, "drover"), { recursive: true });
    writeFileSync(join(home, "drover"), "");
    expect(() => folder()).toThrow("set XDG_CACHE_HOME to a folder that you can write");
  });
});

describe("the programs of the drop-in", () => {
  const run = (path: string, words: readonly string[], env: NodeJS.ProcessEnv = process.env): object => {
    const { status, stdout, stderr } = spawnSync(path, words, { encoding: "utf8", env });
    return { status, stdout, stderr };
  };

  it("start this command with their flags, wherever it is installed", () => {
    const odd = join(home, 'it\'s a "$HOME" `x` \\ folder');
    mkdirSync(odd);
    const command = join(odd, "drover.js");
    writeFileSync(
      command,
      "process.stdout.write(JSON.stringify([process.ppid === Number(process.argv.find((word) => word.includes('parent')).split('=')[1]), ...process.argv.slice(2)]))",
    );
    const path = folder(files(process.execPath, command));
    const parent = `--exit-with-parent=${process.pid}`;
    expect(run(join(path, "kube-apiserver"), ["--a=b c", "*", "--help"])).toEqual({
      status: 0,
      stdout: JSON.stringify([true, "apiserver", parent, "--a=b c", "*", "--help"]),
      stderr: "",
    });
    expect(run(join(path, "etcd"), [])).toMatchObject({ stdout: JSON.stringify([true, "envtest", "etcd", parent]) });
  });

  it("print their help without starting Node", () => {
    const path = folder(files("/no/node", "/no/drover.js"));
    expect(run(join(path, "kube-apiserver"), ["--help"])).toEqual({ status: 0, stdout: help.apiserver, stderr: "" });
    expect(run(join(path, "etcd"), ["--help"])).toEqual({ status: 0, stdout: help.etcd, stderr: "" });
  });

  it("say what to do when Node or the command has been removed", () => {
    const path = folder(files("/no/node's", '/no/"drover".js'));
    const env = { PATH: "/no/where" };
    expect(run("/bin/sh", [join(path, "etcd")], env)).toEqual({
      status: 1,
      stdout: "",
      stderr: "drover: there is no Node at /no/node's any more; run drover envtest path again\n",
    });
    expect(run(join(folder(files(process.execPath, '/no/"drover".js')), "etcd"), [])).toEqual({
      status: 1,
      stdout: "",
      stderr: 'drover: /no/"drover".js has been removed; install drover and run drover envtest path again\n',
    });
  });

  it("delegate kubectl to the first one on PATH that is none of them, or say that there is none", () => {
    const path = folder();
    const [other, own] = [join(home, "an other"), folder(files("/other/node"))];
    mkdirSync(other);
    const usual = "/usr/bin:/bin";
    writeFileSync(join(other, "kubectl"), '#!/bin/sh\necho "real: $*"\nexit 3\n', { mode: 0o755 });
    expect(run(join(path, "kubectl"), ["get", "a b"], { PATH: `${own}:${path}:${other}:${usual}` })).toEqual({
      status: 3,
      stdout: "real: get a b\n",
      stderr: "",
    });
    const tools = join(home, "tools");
    mkdirSync(tools);
    for (const name of ["head", "tr"])
      symlinkSync(spawnSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim(), join(tools, name));
    expect(run(join(path, "kubectl"), [], { PATH: `${path}:${own}:${tools}` })).toMatchObject({
      status: 127,
      stderr: expect.stringContaining("there is none on PATH") as string,
    });
  });
});
