import { describe, expect, it } from "vitest";
import { hostGuard } from "./host-guard.ts";

const guard = hostGuard({ names: ["Kubernetes.default.svc", "[fd00::1]"], origins: ["https://dashboard.example.com"] });
const passes = (authority: string | undefined, headers: Record<string, string> = {}): boolean =>
  guard({ authority, encrypted: true, headers }) === undefined;

describe("hostGuard", () => {
  it("accepts loopback names and configured host names", () => {
    for (const host of [
      "localhost",
      "LOCALHOST:6443",
      "a.localhost:1",
      "127.0.0.1",
      "127.8.9.1:80",
      "[::1]",
      "[::1]:6443",
      "kubernetes.DEFAULT.svc:443",
      "[fd00::1]:1",
    ])
      expect([host, passes(host)]).toEqual([host, true]);
    expect(passes(undefined)).toBe(true);
  });

  it("refuses other host names, as in DNS rebinding (X10, S3)", () => {
    for (const host of [
      "evil.com",
      "evil.com:6443",
      "127.0.0.1.evil.com",
      "localhost.evil.com",
      "",
      ":80",
      "127.0.0.1:80:90",
      "[::1",
      "user@localhost",
      "127.0.0.1@evil.com",
      "10.0.0.1",
      "0.0.0.0",
    ])
      expect([host, passes(host)]).toEqual([host, false]);
    expect(guard({ authority: "evil.com", encrypted: true, headers: {} })).toContain('host "evil.com" is not allowed');
  });

  it("refuses pages of other origins, including other ports of the same machine (X10, S3)", () => {
    for (const origin of [
      "https://evil.com",
      "http://localhost:6443",
      "https://localhost:5173",
      "null",
      "",
      "https://localhost:6443/",
      "https://dashboard.example.com.evil.com",
    ])
      expect([origin, passes("localhost:6443", { origin })]).toEqual([origin, false]);
    expect(guard({ authority: "localhost", encrypted: true, headers: { origin: ["https://localhost", "https://evil.com"] } })).toContain(
      "is not allowed",
    );
  });

  it("accepts pages of the server's own and configured origins", () => {
    expect(passes("localhost:6443", { origin: "https://localhost:6443" })).toBe(true);
    expect(passes("localhost:6443", { origin: "https://dashboard.example.com" })).toBe(true);
    expect(guard({ authority: "localhost:80", encrypted: false, headers: { origin: "http://localhost:80" } })).toBeUndefined();
  });

  it("refuses cross-site requests without an Origin (X10, S3)", () => {
    expect(passes("localhost", { "sec-fetch-site": "cross-site" })).toBe(false);
    expect(passes("localhost", { "sec-fetch-site": "same-site" })).toBe(false);
    expect(passes("localhost", { "sec-fetch-site": "same-origin" })).toBe(true);
    expect(passes("localhost", { "sec-fetch-site": "none" })).toBe(true);
  });
});
