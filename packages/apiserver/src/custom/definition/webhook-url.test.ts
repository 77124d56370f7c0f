import { describe, expect, it } from "vitest";
import { parseWebhookUrl } from "./webhook-url.ts";

describe("parseWebhookUrl", () => {
  it("splits a URL into its parts", () => {
    expect(parseWebhookUrl("HTTPS://u:p@host:1/path?a=b#c")).toEqual({
      scheme: "https",
      host: "host:1",
      user: "u:p",
      query: "a=b",
      fragment: "c",
    });
    expect(parseWebhookUrl("https://[::1]:8/")).toMatchObject({ host: "[::1]:8", user: undefined });
    expect(parseWebhookUrl("mailto:x")).toMatchObject({ scheme: "mailto", host: "" });
    expect(parseWebhookUrl("//h/x")).toMatchObject({ scheme: "", host: "h" });
    expect(parseWebhookUrl("x/y:z")).toMatchObject({ scheme: "", host: "" });
    expect(parseWebhookUrl("https:///p")).toMatchObject({ scheme: "https", host: "" });
    expect(parseWebhookUrl("https://hé/")).toMatchObject({ host: "hé" });
  });

  it.each([
    ["https://a b/", 'invalid character " " in host name'],
    ["https://a:xx/", 'invalid port ":xx" after host'],
    [":a", "missing protocol scheme"],
    ["1a:b", "first path segment in URL cannot contain colon"],
    ["https://[::1", "missing ']' in host"],
    ["https://a/%zz", 'invalid URL escape "%zz"'],
    ["https://h%20/", 'invalid URL escape "%20"'],
    ["https://a\u0001b", "net/url: invalid control character in URL"],
    ["https://h/%1", 'invalid URL escape "%1"'],
  ])("refuses %j", (text, problem) => {
    expect(parseWebhookUrl(text)).toBe(`parse ${JSON.stringify(text).replace("\\u0001", "\\x01")}: ${problem}`);
  });
});
