import { describe, expect, it } from "vitest";
import { TransportError, classifyError, isTransportError } from "./transport-error.ts";

const withCode = (code: string): Error => Object.assign(new Error("something"), { code });

describe("classifyError", () => {
  it.each([
    ["ECONNREFUSED", "refused"],
    ["ECONNRESET", "reset"],
    ["EPIPE", "reset"],
    ["ENOTFOUND", "dns"],
    ["EAI_AGAIN", "dns"],
    ["EHOSTUNREACH", "unreachable"],
    ["ETIMEDOUT", "unreachable"],
    ["CERT_HAS_EXPIRED", "tls"],
    ["ERR_SSL_SOMETHING_NEW", "tls"],
    ["EPROTO", "tls"],
    ["HPE_INVALID_CONSTANT", "garbage"],
    ["HPE_HEADER_OVERFLOW", "garbage"],
    ["Z_DATA_ERROR", "garbage"],
    ["ERR_INVALID_CHAR", "invalid-request"],
    ["ERR_UNESCAPED_CHARACTERS", "invalid-request"],
    ["ENOBUFS", "other"],
  ])("classifies %s as %s", (code, reason) => {
    expect(classifyError(withCode(code))).toMatchObject({ reason, code });
  });
  it("reports the last of several addresses", () => {
    expect(classifyError(new AggregateError([withCode("ENETUNREACH"), withCode("ECONNREFUSED")]))).toMatchObject({ reason: "refused" });
  });
  it("describes an unknown error", () => {
    expect(classifyError(new Error("strange"))).toEqual({ reason: "other", what: "failed: strange" });
    expect(classifyError("strange")).toEqual({ reason: "other", what: "failed: unknown" });
  });
});

describe("TransportError", () => {
  it("has the facts of its message as fields", () => {
    const error = new TransportError("m", { reason: "timeout", timeout: "headers", sent: "maybe", code: "X", cause: 1 });
    expect(error).toMatchObject({
      name: "TransportError",
      reason: "timeout",
      timeout: "headers",
      sent: "maybe",
      reused: false,
      code: "X",
      cause: 1,
    });
    expect(isTransportError(error)).toBe(true);
    expect(isTransportError(new Error("m"))).toBe(false);
  });
});
