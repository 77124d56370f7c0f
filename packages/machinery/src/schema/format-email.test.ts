import { describe, expect, it } from "vitest";
import { isEmail } from "./format-email.ts";

describe("the format email", () => {
  it.each([
    "a@b.c",
    "A B <a@b.c>",
    '"A, B" <a@b.c>',
    "a@b.c (comment (nested))",
    "Team: a@b.c;",
    "<a@b.c>",
    '"a b"@c',
    "a@[1.2.3.4]",
    "a@[::1]",
    "é@ü.de",
    "=?utf-8?q?a=20b?= <a@b.c>",
    "=?koi8-r?q?a=?= <a@b.c>",
    "A(x) B <a@b.c>",
  ])("accepts %s", (text) => expect(isEmail(text)).toBe(true));
  it.each([
    "",
    "a",
    "a@",
    "@b",
    ".a@b",
    "a..b@c",
    "a.@b",
    '""@c',
    "a@[x]",
    "a b@c",
    "a@b c",
    "a@b.",
    "Team: a@b.c, d@e.f;",
    "Team:;",
    "=?koi8-r?q?a?= <a@b.c>",
    "a@b.c (=?koi8-r?q?a?=)",
    "a@b.c (x",
    "a@b.c,",
    "<a@b",
    '"unclosed <a@b>',
    '"a\u0001"@c',
  ])("refuses %s", (text) => expect(isEmail(text)).toBe(false));

  it("handles long hostile texts quickly", () => {
    expect(isEmail(`${"(".repeat(50_000)}a@b`)).toBe(false);
    expect(isEmail(`${"a ".repeat(50_000)}<a@b>`)).toBe(true);
  });
});
