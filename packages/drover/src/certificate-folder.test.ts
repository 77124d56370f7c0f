import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeCrypto } from "@drover/machinery/node";
import { certificateAuthority } from "@drover/machinery/x509";
import { afterEach, describe, expect, it } from "vitest";
import { certificateFolder } from "./certificate-folder.ts";

const authority = certificateAuthority({ commonName: "ca", crypto: nodeCrypto, clock: { now: () => Date.now() } });
const issue = () => authority.issue({ commonName: "hooks", usage: "server" });

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "drover-certificates-"));
  folders.push(folder);
  return folder;
}
function write(folder: string, { certificatePem, privateKeyPem }: ReturnType<typeof issue>, ca?: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "tls.crt"), certificatePem);
  writeFileSync(join(folder, "tls.key"), privateKeyPem);
  if (ca !== undefined) writeFileSync(join(folder, "ca.crt"), ca);
}

describe("certificateFolder", () => {
  it("reads the pair and the bundle, which may be missing", async () => {
    const folder = newFolder();
    const pair = issue();
    write(folder, pair);
    expect(await certificateFolder(folder)()).toEqual(pair);
    write(folder, pair, authority.certificatePem);
    expect(await certificateFolder(folder)()).toEqual({ ...pair, caBundle: authority.certificatePem });
  });

  it("rejects truncated files, a wrong key and missing files, and recovers (F1)", async () => {
    const folder = newFolder();
    const read = certificateFolder(folder);
    await expect(read()).rejects.toThrow("ENOENT");
    const pair = issue();
    write(folder, { ...pair, privateKeyPem: issue().privateKeyPem });
    await expect(read()).rejects.toThrow(`tls.key in ${folder} does not belong to tls.crt`);
    write(folder, { ...pair, certificatePem: pair.certificatePem.slice(0, 99) });
    await expect(read()).rejects.toThrow("does not belong to tls.crt");
    write(folder, pair);
    expect(await read()).toEqual(pair);
  });

  it("follows the symbolic links that the kubelet swaps, a hundred times (F1)", async () => {
    const folder = newFolder();
    for (const name of ["tls.crt", "tls.key", "ca.crt"]) symlinkSync(join("..data", name), join(folder, name));
    const read = certificateFolder(folder);
    for (let swap = 0; swap < 100; swap++) {
      const pair = issue();
      write(join(folder, `v${swap}`), pair, authority.certificatePem);
      symlinkSync(`v${swap}`, join(folder, "..next"));
      const reading = swap === 0 ? undefined : read();
      renameSync(join(folder, "..next"), join(folder, "..data"));
      // A read during the swap gets one of the two pairs, never a mixture.
      const between = await reading;
      if (between !== undefined) expect(nodeCrypto.isPair(between.certificatePem, between.privateKeyPem)).toBe(true);
      expect(await read()).toMatchObject(pair);
    }
  });
});
