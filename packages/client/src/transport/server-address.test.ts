import { describe, expect, it } from "vitest";
import { parseServerAddress } from "./server-address.ts";

describe("parseServerAddress", () => {
  it.each([
    [
      "https://example.com",
      { secure: true, host: "example.com", port: 443, basePath: "", authority: "example.com:443", hostHeader: "example.com" },
    ],
    [
      "http://10.0.0.1:8080/",
      { secure: false, host: "10.0.0.1", port: 8080, basePath: "", authority: "10.0.0.1:8080", hostHeader: "10.0.0.1:8080" },
    ],
    [
      "https://[::1]:6443/k8s/clusters/c-1/",
      { secure: true, host: "::1", port: 6443, basePath: "/k8s/clusters/c-1", authority: "[::1]:6443", hostHeader: "[::1]:6443" },
    ],
  ])("parses %s", (text, parts) => {
    expect(parseServerAddress(text)).toEqual(parts);
  });
  it.each(["", "example.com", "ftp://example.com", "https://me:hunter2@example.com", "https://example.com/?a=b"])(
    "rejects %j without quoting a password",
    (text) => {
      expect(() => parseServerAddress(text)).toThrow(/^the server's address (?!.*hunter2)/);
    },
  );
});
