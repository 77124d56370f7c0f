import { describe, expect, it } from "vitest";
import { formatPem } from "./pem.ts";

describe("formatPem", () => {
  it("writes a labelled block in lines of 64 characters", () => {
    expect(formatPem("CERTIFICATE", new Uint8Array(50))).toBe(
      `-----BEGIN CERTIFICATE-----\n${"A".repeat(64)}\nAAA=\n-----END CERTIFICATE-----\n`,
    );
    expect(formatPem("X", new Uint8Array(48))).toBe(`-----BEGIN X-----\n${"A".repeat(64)}\n-----END X-----\n`);
  });
});
