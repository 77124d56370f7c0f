import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { AuditLog, parseAudit } from "./audit.ts";

const times = { requestReceivedTimestamp: "2026-01-01T00:00:01.250000Z", stageTimestamp: "2026-01-01T00:00:01.262000Z" };
const [receivedMs, answeredMs] = [Date.UTC(2026, 0, 1, 0, 0, 1, 250), Date.UTC(2026, 0, 1, 0, 0, 1, 262)];

describe("a line of an audit log", () => {
  it("has writer, object, time and commit", () => {
    const line = {
      verb: "create",
      userAgent: "replica-1",
      objectRef: { resource: "configmaps", name: "a" },
      responseStatus: { code: 201 },
      responseObject: { kind: "ConfigMap", metadata: { name: "a", resourceVersion: "41" } },
      ...times,
    };
    expect(parseAudit(`${JSON.stringify(line)}\n`)).toEqual([
      { by: "replica-1", verb: "create", resource: "configmaps", name: "a", status: 201, commit: 41, receivedMs, answeredMs },
    ]);
  });

  it("has the holder of a lease after a write, or none", () => {
    const line = (spec: object): string =>
      JSON.stringify({
        verb: "update",
        userAgent: "replica-1",
        objectRef: { resource: "leases", name: "l" },
        responseStatus: { code: 200 },
        responseObject: { kind: "Lease", metadata: { resourceVersion: "42" }, spec },
        ...times,
      });
    expect(
      parseAudit(`${line({ holderIdentity: "one_1", leaseDurationSeconds: 3 })}\n${line({ leaseDurationSeconds: 1 })}\n`).map(
        ({ lease }) => lease,
      ),
    ).toEqual([
      { holder: "one_1", durationMs: 3000 },
      { holder: "", durationMs: 1000 },
    ]);
  });

  it("has no commit for a request that wrote nothing", () => {
    const line = {
      verb: "patch",
      userAgent: "replica-1",
      objectRef: { resource: "configmaps", subresource: "status", name: "a" },
      responseStatus: { code: 409 },
      responseObject: { kind: "Status", metadata: {} },
      ...times,
    };
    expect(parseAudit(JSON.stringify(line))).toEqual([
      { by: "replica-1", verb: "patch", resource: "configmaps/status", name: "a", status: 409, receivedMs, answeredMs },
    ]);
  });

  it("that is cut off is an error", () => {
    expect(() => parseAudit('{"verb":"crea')).toThrow(SyntaxError);
  });
});

describe("an audit log that is being written", () => {
  it("is read from the last position, complete lines only", () => {
    const folder = mkdtempSync(join(tmpdir(), "drover-audit-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "audit.log");
    const line = (name: string): string =>
      `${JSON.stringify({ verb: "delete", userAgent: "é", objectRef: { resource: "configmaps", name }, ...times })}\n`;
    const log = new AuditLog(file);
    const names = (): string[] => log.requests().map(({ name }) => name);
    writeFileSync(file, line("a") + line("b").slice(0, 20));
    expect([names(), names()]).toEqual([["a"], ["a"]]);
    appendFileSync(file, line("b").slice(20) + line("c"));
    expect([names(), names()]).toEqual([
      ["a", "b", "c"],
      ["a", "b", "c"],
    ]);
  });
});
