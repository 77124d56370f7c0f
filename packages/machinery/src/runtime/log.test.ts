import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { hostileValues } from "../testing/hostile-values.ts";
import { createLog } from "./log.ts";
import type { Log, LogOptions } from "./log.ts";

function lines(use: (log: Log) => void, options: Partial<LogOptions> = {}): string[] {
  const written: string[] = [];
  use(createLog({ clock: new ManualClock({ nowMs: 1_794_749_746_012 }), write: (line) => written.push(line), ...options }));
  return written;
}

describe("createLog", () => {
  it("writes one JSON object per line: time, level, message, fields", () => {
    expect(lines((log) => log.info("created", { pod: "web-0", count: 2 }))).toEqual([
      '{"time":"2026-11-15T13:35:46.012Z","level":"info","msg":"created","pod":"web-0","count":2}',
    ]);
  });

  it("writes text for people, with quotes where needed", () => {
    expect(
      lines(
        (log) => {
          log.warn("slow request", {
            verb: "list",
            path: "/api/v1/pods?limit=500",
            took: 12.5,
            note: "two words",
            empty: "",
            labels: { app: "web" },
          });
        },
        { format: "text" },
      ),
    ).toEqual([
      '13:35:46Z WARN  slow request verb=list path="/api/v1/pods?limit=500" took=12.5 note="two words" empty="" labels={"app":"web"}',
    ]);
  });

  it("ends a line with the code of its problem, and has it as a field in JSON", () => {
    const refused = Object.assign(new Error("it refused"), { problemCode: "DRV0310" });
    const use = (log: Log): void => {
      log.warn("retrying", { error: new Error("list pods", { cause: refused }), times: 2 });
      log.warn("slow", { code: "DRV0503" });
      log.warn("wrong", { error: Object.assign(new Error("no option [DRV0201]; fix: x"), { problemCode: "DRV0201" }) });
      log.warn("answered", { code: 404 });
    };
    expect(lines(use, { format: "text" }).map((line) => line.slice(16))).toEqual([
      "retrying: list pods: it refused times=2 [DRV0310]",
      "slow [DRV0503]",
      "wrong: no option [DRV0201]; fix: x",
      "answered code=404",
    ]);
    expect(lines(use).map((line) => (JSON.parse(line) as { code: unknown }).code)).toEqual(["DRV0310", "DRV0503", "DRV0201", 404]);
  });

  it("omits lines below the level", () => {
    const all = (log: Log): void => {
      log.debug("d");
      log.info("i");
      log.warn("w");
      log.error("e");
    };
    const levels = (options: Partial<LogOptions>): unknown[] =>
      lines(all, options).map((line) => (JSON.parse(line) as { level: string }).level);
    expect(levels({ level: "debug" })).toEqual(["debug", "info", "warn", "error"]);
    expect(levels({})).toEqual(["info", "warn", "error"]);
    expect(levels({ level: "error" })).toEqual(["error"]);
  });

  it("adds bound fields, read when they were bound; later ones win", () => {
    const fields = { controller: "web", attempt: 1 };
    expect(
      lines((log) => {
        const bound = log.with(fields).with({ key: "default/web" });
        fields.attempt = 99;
        bound.info("reconciled", { attempt: 2 });
      })[0],
    ).toContain('"controller":"web","attempt":2,"key":"default/web"}');
  });

  it("renames fields that would hide the line's own", () => {
    expect(lines((log) => log.info("real", { msg: "fake", level: "error", time: 0 }))[0]).toBe(
      '{"time":"2026-11-15T13:35:46.012Z","level":"info","msg":"real","msg_":"fake","level_":"error","time_":0}',
    );
  });

  it("writes an error as one sentence, and its parts where level debug is written", () => {
    const error = Object.assign(new Error("boom", { cause: new Error("no space") }), { kind: { plural: "pods" } });
    const use = (log: Log): void => log.error("e", { error });
    const [short = "", long = ""] = [...lines(use), ...lines(use, { level: "debug" })];
    expect(short).toContain('"error":"boom: no space"}');
    expect(JSON.parse(long)).toMatchObject({
      error: "boom: no space",
      errorDetails: { message: "boom", kind: { plural: "pods" }, cause: { message: "no space" } },
    });
    expect(long).toContain("log.test.ts");
  });

  it("writes a failed reconcile for people: controller, object, what failed, why", () => {
    const use = (log: Log): void =>
      log.with({ controller: "webapp" }).error("reconcile failed", { key: "shop/web", retryIn: "1s", error: new Error("it is full") });
    expect(lines(use, { format: "text" })).toEqual(["13:35:46Z ERROR webapp shop/web: reconcile failed: it is full retryIn=1s"]);
    expect(lines(use, { format: "logfmt" })).toEqual([
      'time=2026-11-15T13:35:46.012Z level=error msg="reconcile failed" controller=webapp key=shop/web retryIn=1s error="it is full"',
    ]);
  });

  it("wraps lines for people at the width of the terminal, in colour where asked to", () => {
    const use = (log: Log): void => log.warn("the quick brown fox jumps", { over: "the lazy dog" });
    expect(lines(use, { format: "text", style: { columns: 30 } })[0]?.split("\n")).toEqual([
      "13:35:46Z WARN  the quick",
      "    brown fox jumps",
      '    over="the lazy dog"',
    ]);
    expect(lines((log) => log.warn("x"), { format: "text", style: { hasColor: true } })).toEqual([
      "\u001b[2m13:35:46Z\u001b[0m \u001b[33mWARN \u001b[0m x",
    ]);
  });

  it("takes levels by field; the last that fits counts", () => {
    const shown = (level: NonNullable<LogOptions["level"]>): unknown[] =>
      lines(
        (log) => {
          for (const controller of ["a", "b"]) log.with({ controller }).debug(controller);
          log.with({ lease: "kube-system/x" }).debug("lease");
          log.debug("none");
        },
        { level },
      ).map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(shown("info,controller/a=debug")).toEqual(["a"]);
    expect(shown("warn,controller=debug,controller/b=info,lease/kube-system/x=debug")).toEqual(["a", "lease"]);
    expect(shown("debug,controller=error")).toEqual(["lease", "none"]);
    expect(() => shown("info,controller=loud")).toThrow('log level (logLevel, DROVER_LOG): "controller=loud" has no level');
    expect(() => shown(Array.from({ length: 200 }, () => "info").join() as "info")).toThrow("more than 100 levels");
  });

  it("escapes control and format characters, so that a line stays a line", () => {
    const evil = "a\nb\r\u001b[31m\u0085\u009b\u2028\u202e\u{e0001}";
    for (const format of ["json", "logfmt", "text"] as const) {
      const [line = ""] = lines((log) => log.info(evil, { [evil]: evil, nested: { evil } }), { format });
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      if (format !== "json") expect(line).not.toMatch(/\p{Cf}/u);
    }
    expect(lines((log) => log.info("x\u001by"), { format: "text" })[0]).toContain("x\\u001by");
  });

  it("never throws: not for what is logged, where it is written, or the time", () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("trap");
        },
      },
    );
    expect(lines((log) => log.info("x", hostile))[0]).toContain('"fields":"[unreadable: trap]"');
    expect(lines((log) => log.info("x", { __proto__: null, a: 1 }))[0]).toContain('"a":1');
    expect(() =>
      lines((log) => log.info("x"), {
        write: () => {
          throw new Error("disk full");
        },
      }),
    ).not.toThrow();
    expect(lines((log) => log.info("x"), { clock: new ManualClock({ nowMs: 1e20 }) })[0]).toContain('"time":"100000000000000000000"');
  });

  it("drops the rejection of an asynchronous write (SEC5)", async () => {
    const rejected: unknown[] = [];
    const onRejection = (reason: unknown): void => void rejected.push(reason);
    process.on("unhandledRejection", onRejection);
    const write = (): unknown => Promise.reject(new Error("EPIPE"));
    lines((log) => log.info("x"), { write });
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", onRejection);
    expect(rejected).toEqual([]);
  });

  it("writes at most 128 KiB per line, and keeps short fields when it cuts (SEC5)", () => {
    const wide = "\u0000é".repeat(40_000);
    for (const format of ["json", "logfmt", "text"] as const) {
      const [line = ""] = lines((log) => log.with({ key: "default/web" }).error(wide, { a: wide, b: wide }), { format });
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(128 * 1024);
      expect(line).toContain("default/web");
      expect(line).toContain("further fields would exceed 131072 bytes");
    }
  });

  it.each(hostileValues.map(({ name, make }) => [name, make] as const))("writes one bounded line for %s (SEC6)", (_, make) => {
    const written = lines((log) => {
      log.error("failed", { error: make() });
      log.with({ error: make() }).warn("failed");
      log.error(make() as string, make() as Readonly<Record<string, unknown>>);
    });
    expect(written).toHaveLength(3);
    for (const line of written) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(128 * 1024);
  });

  it("writes one valid JSON object without secrets, whatever the fields", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.dictionary(fc.string(), fc.anything({ withBigInt: true, withMap: true, maxDepth: 1, maxKeys: 2 }), { maxKeys: 3 }),
        (message, fields) => {
          const [line = "", ...more] = lines((log) => log.info(message, { ...fields, token: "hunter2-token" }));
          expect(more).toEqual([]);
          expect((JSON.parse(line) as { msg: string }).msg).toBe(JSON.parse(JSON.stringify(message)));
          expect(line).not.toContain("hunter2-token");
        },
      ),
      // Arbitrary values of every type take long to make.
      process.env["DROVER_LONG"] === "1" ? {} : { numRuns: 20 },
    );
  });
});
