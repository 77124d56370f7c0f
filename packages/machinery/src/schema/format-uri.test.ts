import { describe, expect, it } from "vitest";
import { isRequestUri } from "./format-uri.ts";

describe("the format uri", () => {
  it.each([
    "/path",
    "*",
    "http://a.b/c?d=%zz#e",
    "mailto:a@b",
    "http://[::1%25en0]:80/",
    "http://u:p@h/",
    "mysql://a:1,b:2/x",
    "http://é/",
    "http://%c3%a9/",
    "http://",
    "http://a/%20",
  ])("accepts %s", (text) => {
    expect(isRequestUri(text)).toBe(true);
  });
  it.each([
    "",
    "path",
    ":x",
    "1http://a",
    "http://a b/",
    "http://a/%zz",
    "http://a%20b/",
    "http://a:80x/",
    "http://a:1:2/",
    "http://[1.2.3.4]/",
    "http://[::1%en0]/",
    "http://[::1%25]/",
    "http://a[b]/",
    "a\nb:/",
    "http://ü@[x/",
  ])("rejects %s", (text) => {
    expect(isRequestUri(text)).toBe(false);
  });
});
