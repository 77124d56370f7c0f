import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headersFromWire, headersToWire, parseRequestTarget, headersToHttp2 } from "./message-head.ts";

describe("parseRequestTarget", () => {
  it("accepts a path, or an absolute URL whose host counts", () => {
    expect(parseRequestTarget("/api/v1?x=1")).toEqual({ path: "/api/v1?x=1" });
    expect(parseRequestTarget("//evil.com/api")).toEqual({ path: "//evil.com/api" });
    expect(parseRequestTarget("http://localhost:80/api?x=/y")).toEqual({ authority: "localhost:80", path: "/api?x=/y" });
    expect(parseRequestTarget("HTTPS://evil.com")).toEqual({ authority: "evil.com", path: "/" });
    expect(parseRequestTarget("http://evil.com?x=1")).toEqual({ authority: "evil.com", path: "/?x=1" });
  });

  it("refuses everything else", () => {
    for (const target of ["", "*", "api", "evil.com:443", "ftp://localhost/", "http:///api", "http:/api"])
      expect([target, parseRequestTarget(target)]).toEqual([target, undefined]);
  });
});

describe("headersFromWire and headersToWire", () => {
  it("return lists for repeated headers", () => {
    expect(headersFromWire(["Accept", "a", "Impersonate-Group", "x", "impersonate-group", "y", "IMPERSONATE-GROUP", "z"])).toEqual({
      accept: "a",
      "impersonate-group": ["x", "y", "z"],
    });
  });

  it("keep header names such as __proto__ as data", () => {
    const headers = headersFromWire(["__proto__", "x", "__proto__", "y", "Constructor", "z"]);
    expect(Object.entries(headers)).toEqual([
      ["__proto__", ["x", "y"]],
      ["constructor", "z"],
    ]);
    expect(({} as Record<string, unknown>)[0]).toBeUndefined();
  });

  it("decode UTF-8 and keep invalid bytes", () => {
    expect(headersFromWire(["x", "j\u00c3\u00bcrgen", "y", "j\u00fcrgen"])).toEqual({ x: "jürgen", y: "j\u00fcrgen" });
    expect(headersToWire({ warning: ["ü", "a"] })).toEqual(["warning", "\u00c3\u00bc", "warning", "a"]);
  });

  it("round-trip any text", () => {
    const value = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z_-]{1,12}$/), fc.oneof(value, fc.array(value, { minLength: 2 }))), (headers) => {
        expect(Object.entries(headersFromWire(headersToWire(headers)))).toEqual(Object.entries(headers));
      }),
    );
  });
});

describe("headersToHttp2", () => {
  it("drops what belongs to an HTTP/1.1 connection, and lowers names", () => {
    const headers = { "Content-Type": "a", connection: "close", "keep-alive": "timeout=5", Upgrade: "x", "transfer-encoding": "chunked" };
    expect(headersToHttp2({ ...headers, warning: ["ü", "b"] })).toEqual({ "content-type": "a", warning: ["Ã¼", "b"] });
  });

  it("throws for a value with a line break, naming the header", () => {
    expect(() => headersToHttp2({ location: "/x\r\nset-cookie: a=b" })).toThrow("header location must not contain line breaks");
  });
});
