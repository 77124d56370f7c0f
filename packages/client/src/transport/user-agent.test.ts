import type { HttpHeaders } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { formatUserAgent, userAgent } from "./user-agent.ts";

async function sent(name: string, headers: HttpHeaders): Promise<HttpHeaders> {
  let seen: HttpHeaders = {};
  await userAgent(name)((request) => {
    seen = request.headers;
    return Promise.resolve({ status: 200, headers: {}, body: "" });
  })({ method: "GET", path: "/", headers });
  return seen;
}

describe("user agent", () => {
  it("has the form of Kubernetes programs", () => {
    expect(
      formatUserAgent({ program: "/usr/bin/shop-operator", version: "1.2.3-beta+x", os: "linux", arch: "amd64", commit: "0123456789" }),
    ).toBe("shop-operator/1.2.3 (linux/amd64) drover/0123456");
    expect(formatUserAgent({ program: "", os: "darwin", arch: "arm64" })).toBe("unknown/unknown (darwin/arm64) drover/unknown");
    expect(formatUserAgent({ program: "C:\\x\\tool\r\nx-evil: 1", os: "win32", arch: "x" })).toBe(
      "tool??x-evil: 1/unknown (win32/x) drover/unknown",
    );
  });
  it("is added to requests without one", async () => {
    expect(await sent("me", { a: "1" })).toEqual({ a: "1", "user-agent": "me" });
    expect(await sent("me", { "user-agent": "you" })).toEqual({ "user-agent": "you" });
  });
});
