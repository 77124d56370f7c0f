import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditRecord } from "@drover/apiserver";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openAuditLog } from "./audit-log.ts";
import type { AuditLog } from "./audit-log.ts";
import type { UpAudit } from "./audit-options.ts";

const record = (line: string): AuditRecord => ({ line, event: () => expect.fail("not parsed") });

describe("openAuditLog", () => {
  let folder = "";
  let nowMs = Date.parse("2026-11-18T01:30:00.123Z");
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "drover-audit-"));
    writeFileSync(join(folder, "policy.yaml"), "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const opened = (audit: Partial<UpAudit> = {}, write: (text: string) => void = () => undefined): Promise<AuditLog> =>
    openAuditLog(
      {
        policyFile: join(folder, "policy.yaml"),
        logPath: join(folder, "logs", "audit.log"),
        maxSizeMb: 1,
        maxBackups: 2,
        maxAgeDays: 3,
        ...audit,
      },
      { write, now: () => nowMs },
    );
  const logs = (): string[] => readdirSync(join(folder, "logs")).toSorted();

  it("appends lines to a file that only its owner can read (X17)", async () => {
    for (const line of ["a\n", "b\n"]) {
      const { options, close } = await opened();
      await options.sink.write([record(line)]);
      await close();
    }
    expect(readFileSync(join(folder, "logs", "audit.log"), "utf8")).toBe("a\nb\n");
    if (process.platform !== "win32") expect(statSync(join(folder, "logs", "audit.log")).mode & 0o777).toBe(0o600);
  });

  it("rotates before a line that would exceed the size, and never splits one", async () => {
    const half = `${"x".repeat(2 ** 19)}\n`;
    const { options, close } = await opened();
    await options.sink.write([record("first\n"), record(half), record(half), record("last\n")]);
    await close();
    expect(logs()).toEqual(["audit-2026-11-18T01-30-00.123.log", "audit.log"]);
    expect(readFileSync(join(folder, "logs", "audit-2026-11-18T01-30-00.123.log"), "utf8")).toBe(`first\n${half}`);
    expect(readFileSync(join(folder, "logs", "audit.log"), "utf8")).toBe(`${half}last\n`);
  });

  it("keeps only as many and as young rotated files as wanted, and no file of others is touched", async () => {
    const whole = record(`${"x".repeat(2 ** 20 - 1)}\n`);
    const { options, close } = await opened();
    writeFileSync(join(folder, "logs", "audit-notes.log"), "mine");
    for (let index = 0; index < 4; index++) await options.sink.write([whole]);
    expect(logs()).toEqual(["audit-2026-11-18T01-30-00.124.log", "audit-2026-11-18T01-30-00.125.log", "audit-notes.log", "audit.log"]);
    nowMs += 4 * 86_400_000;
    await options.sink.write([whole]);
    await close();
    expect(logs()).toEqual(["audit-2026-11-22T01-30-00.123.log", "audit-notes.log", "audit.log"]);
  });

  it("writes to standard output for the path -", async () => {
    let text = "";
    const { options, close } = await opened({ logPath: "-" }, (more) => (text += more));
    await options.sink.write([record("a\n"), record("b\n")]);
    await close();
    expect(text).toBe("a\nb\n");
  });

  it("names the option of a file that cannot be used", async () => {
    await expect(opened({ policyFile: join(folder, "nope") })).rejects.toThrow("--audit-policy-file: ");
    writeFileSync(join(folder, "policy.yaml"), "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: []\n");
    await expect(opened()).rejects.toThrow("policy.yaml: audit policy: loaded illegal policy with 0 rules");
    writeFileSync(join(folder, "policy.yaml"), "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: None}]\n");
    await expect(opened({ logPath: folder })).rejects.toThrow("--audit-log-path: ");
  });
});
