import { describe, expect, it } from "vitest";
import { loggerLog, pinoLog } from "./logger-log.ts";
import type { PinoLogger } from "./logger-log.ts";

function recording(): { readonly lines: unknown[]; readonly logger: PinoLogger } {
  const lines: unknown[] = [];
  const at =
    (level: string) =>
    (...given: unknown[]): void =>
      void lines.push([level, ...given]);
  const logger: PinoLogger = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  return { lines, logger };
}

describe("pinoLog", () => {
  it("passes fields first, then the message, with the fields of with", () => {
    const { lines, logger } = recording();
    const log = pinoLog(logger).with({ controller: "web" });
    log.info("started");
    log.warn("slow", { key: "shop/web", tookMs: 5 });
    expect(lines).toEqual([
      ["info", { controller: "web" }, "started"],
      ["warn", { controller: "web", key: "shop/web", tookMs: 5 }, "slow"],
    ]);
  });

  it("hides secrets, also those of with, and makes errors plain data", () => {
    const { lines, logger } = recording();
    pinoLog(logger)
      .with({ token: "a" })
      .error("failed", { password: "b", error: new Error("no") });
    expect(lines).toEqual([
      ["error", { token: "[redacted]", password: "[redacted]", error: expect.objectContaining({ message: "no" }) as unknown }, "failed"],
    ]);
  });

  it("passes the code of an error as a field", () => {
    const { lines, logger } = recording();
    pinoLog(logger).warn("failed", { error: Object.assign(new Error("no"), { problemCode: "DRV0310" }) });
    expect(lines).toEqual([["warn", expect.objectContaining({ code: "DRV0310" }), "failed"]]);
  });

  it("survives a logger that throws, and fields that cannot be read", () => {
    const { logger } = recording();
    const broken: PinoLogger = {
      ...logger,
      info: () => {
        throw new Error("disk full");
      },
    };
    const hostile = {
      get field(): string {
        throw new Error("unreadable");
      },
    };
    expect(() => pinoLog(broken).with(hostile).info("a", hostile)).not.toThrow();
  });

  it("refuses a value that is no logger, and names the missing method", () => {
    expect(() => pinoLog({} as never)).toThrow("pinoLog: the logger has no method debug");
    expect(() => pinoLog(undefined as never)).toThrow("fix: pinoLog(pino())");
  });
});

describe("loggerLog", () => {
  it("passes the message first, and fields only if there are any", () => {
    const { lines, logger } = recording();
    const log = loggerLog(logger as never);
    log.debug("a");
    log.with({ controller: "web" }).error("b", { key: "x" });
    expect(lines).toEqual([
      ["debug", "a"],
      ["error", "b", { controller: "web", key: "x" }],
    ]);
  });
});
