import { TimeoutError, UnknownOutcomeError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { timedOut } from "./timed-out.ts";

describe("timedOut", () => {
  const cause = new Error("late");

  it.each([
    ["GET", true, TimeoutError, "no complete answer"],
    ["GET", false, TimeoutError, "not sent"],
    ["PUT", true, UnknownOutcomeError, "no complete answer"],
    ["PUT", false, TimeoutError, "not sent"],
  ] as const)("returns for a %s that was sent: %s the %o", (method, wasSent, kind, words) => {
    const error = timedOut({ attempt: "touch pods/web", method, timeoutMs: 10, wasSent, cause });
    expect(error).toBeInstanceOf(kind);
    expect([error.cause, error.message.includes(`${words} within 10 ms`), error.message.startsWith("touch pods/web: ")]).toEqual([
      cause,
      true,
      true,
    ]);
  });
});
