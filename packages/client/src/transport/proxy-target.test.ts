import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { matchesNoProxy, proxyFromRules, proxyTarget } from "./proxy-target.ts";

describe("proxyTarget", () => {
  it.each([
    ["http://proxy", { kind: "http", host: "proxy", port: 80, authority: "proxy:80" }],
    ["https://proxy:3129", { kind: "https", host: "proxy", port: 3129 }],
    ["socks5://[::1]", { kind: "socks5", host: "::1", port: 1080, authority: "[::1]:1080" }],
    ["socks5h://proxy:1", { kind: "socks5", port: 1 }],
  ])("parses %s", (url, target) => {
    expect(proxyTarget(url)).toMatchObject(target);
  });
  it("keeps the password in a Secret", () => {
    const target = proxyTarget("http://me:hunter%402@proxy:3128");
    expect(target.login?.username).toBe("me");
    expect(target.login?.password.reveal()).toBe("hunter@2");
    expect(inspect(target, { depth: 9, showHidden: true })).not.toContain("hunter");
  });
  it.each(["proxy", "ftp://me:hunter2@proxy", "://"])("rejects %j without quoting a password", (url) => {
    expect(() => proxyTarget(url)).toThrow(/^proxy-url (?!.*hunter2)/);
  });
});

describe("matchesNoProxy", () => {
  it.each([
    ["*", "example.com", true],
    ["example.com", "example.com", true],
    ["example.com", "api.example.com", true],
    ["example.com", "badexample.com", false],
    [".example.com", "example.com", false],
    [".example.com", "api.example.com", true],
    ["*.example.com", "api.example.com", true],
    ["EXAMPLE.com", "example.COM", true],
    ["example.com:6443", "example.com", true],
    ["example.com:443", "example.com", false],
    ["10.0.0.0/8", "10.200.3.4", true],
    ["10.0.0.0/8", "11.0.0.1", false],
    ["10.0.0.0/33", "10.0.0.1", false],
    ["10.1.2.3", "10.1.2.3", true],
    ["10.1.2.3:1", "10.1.2.3", false],
    ["fd00::/8", "fd12::1", true],
    ["fd00::/8", "fe12::1", false],
    ["::1", "0:0:0:0:0:0:0:1", true],
    ["[fd12::1]:6443", "fd12::1", true],
    ["10.0.0.0/8", "example.com", false],
    ["", "example.com", false],
    [" , a , example.com ", "example.com", true],
  ])("%j and %s: %s", (rules, host, matches) => {
    expect(matchesNoProxy({ host, port: 6443 }, rules)).toBe(matches);
  });
});

describe("proxyFromRules", () => {
  const server = { secure: true, host: "api.example.com", port: 6443 };
  const rules = { httpsProxy: "secure-proxy:1", httpProxy: "socks5://plain-proxy:2", noProxy: "internal" };
  it("selects by the scheme of the server, and treats a bare host as an HTTP proxy", () => {
    expect(proxyFromRules(server, rules)).toBe("http://secure-proxy:1");
    expect(proxyFromRules({ ...server, secure: false }, rules)).toBe("socks5://plain-proxy:2");
    expect(proxyFromRules(server, {})).toBeUndefined();
  });
  it.each(["localhost", "127.0.0.1", "127.9.9.9", "::1", "api.internal"])("reaches %s directly", (host) => {
    expect(proxyFromRules({ ...server, host }, rules)).toBeUndefined();
  });
});
