import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeKubeconfigFile } from "./kubeconfig-file.ts";
import { localKubeconfig } from "./local-kubeconfig.ts";

const server = { url: "https://127.0.0.1:40123", authorityPem: "CA\n", admin: { certificatePem: "CERTIFICATE\n", privateKeyPem: "KEY\n" } };
const text = localKubeconfig(server, process.pid);

describe("takeKubeconfigFile", () => {
  let folder = "";
  beforeEach(() => void (folder = realpathSync(mkdtempSync(join(tmpdir(), "drover-file-")))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string): string => join(folder, name);

  it("writes a file that only its owner can read, and removes it at the end", async () => {
    const file = takeKubeconfigFile(at("config"));
    await file.write(text);
    expect(readFileSync(at("config"), "utf8")).toBe(text);
    expect(statSync(at("config")).mode & 0o777).toBe(0o600);
    file.remove();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("replaces a file that an earlier drover left behind", async () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    writeFileSync(at("config"), localKubeconfig(server, pid));
    await takeKubeconfigFile(at("config")).write(text);
    expect(readFileSync(at("config"), "utf8")).toBe(text);
  });

  it("never replaces a file that drover did not write, also not through a link", () => {
    for (const other of ["", "apiVersion: v1\nkind: Config\nclusters: []\n", "not even yaml: ["]) {
      writeFileSync(at("config"), other);
      expect(() => takeKubeconfigFile(at("config"))).toThrow(`${at("config")} exists and was not written by drover`);
      rmSync(at("link"), { force: true });
      symlinkSync(at("config"), at("link"));
      expect(() => takeKubeconfigFile(at("link"))).toThrow("was not written by drover");
      expect(readFileSync(at("config"), "utf8")).toBe(other);
    }
    mkdirSync(at("folder"));
    expect(() => takeKubeconfigFile(at("folder"))).toThrow("cannot be read");
  });

  it("does not take the file of a running drover up", () => {
    writeFileSync(at("config"), localKubeconfig(server, process.ppid));
    expect(() => takeKubeconfigFile(at("config"))).toThrow(`belongs to a running drover up, process ${process.ppid}; stop it first`);
  });

  it("keeps the file if another process has written it since", async () => {
    const file = takeKubeconfigFile(at("config"));
    await file.write(text);
    writeFileSync(at("config"), "mine now");
    file.remove();
    expect(existsSync(at("config"))).toBe(true);
  });

  it("requires an existing folder", () => {
    expect(() => takeKubeconfigFile(at("no/config"))).toThrow(`the folder ${at("no")} does not exist; create it`);
    writeFileSync(at("file"), "");
    expect(() => takeKubeconfigFile(at("file/config"))).toThrow("does not exist; create it");
  });
});
