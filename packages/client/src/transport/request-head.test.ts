import { describe, expect, it } from "vitest";
import { requestHead } from "./request-head.ts";

const options = { basePath: "", host: "example.com:6443", acceptsGzip: false, length: undefined };
const get = { method: "GET", path: "/api", headers: {} };

describe("requestHead", () => {
  it("writes the request line, the host, the given headers and an empty line", () => {
    expect(requestHead({ ...get, headers: { accept: "application/json" } }, { ...options, basePath: "/k8s/c-1" })).toBe(
      "GET /k8s/c-1/api HTTP/1.1\r\nhost: example.com:6443\r\naccept: application/json\r\n\r\n",
    );
  });

  it("writes a line for each value of a list", () => {
    expect(requestHead({ ...get, headers: { "impersonate-group": ["a", "bü"] } }, options)).toContain(
      "impersonate-group: a\r\nimpersonate-group: bü\r\n",
    );
  });

  it("describes the body, and asks for gzip", () => {
    expect(requestHead(get, { ...options, length: 0 })).toContain("content-length: 0\r\n");
    expect(requestHead(get, { ...options, length: "chunked" })).toContain("transfer-encoding: chunked\r\n");
    expect(requestHead(get, { ...options, acceptsGzip: true })).toContain("accept-encoding: gzip\r\n");
  });

  it("keeps a host header that is given", () => {
    expect(requestHead({ ...get, headers: { host: "other" } }, options)).toBe("GET /api HTTP/1.1\r\nhost: other\r\n\r\n");
  });

  it.each([
    ["a method with a space", { method: "GET /x" }, "ERR_INVALID_HTTP_TOKEN"],
    ["a path with a space", { path: "/a b" }, "ERR_UNESCAPED_CHARACTERS"],
    ["a path with a line break", { path: "/a\r\nx: y" }, "ERR_UNESCAPED_CHARACTERS"],
    ["a path beyond ASCII", { path: "/ü" }, "ERR_UNESCAPED_CHARACTERS"],
    ["a header name with a colon", { headers: { "a:b": "c" } }, "ERR_INVALID_HTTP_TOKEN"],
    ["a header value with a line break", { headers: { a: "b\r\nc: d" } }, "ERR_INVALID_CHAR"],
    ["one of several values with a zero", { headers: { a: ["b", "c\0"] } }, "ERR_INVALID_CHAR"],
  ])("refuses %s", (_, changed, code) => {
    expect(() => requestHead({ ...get, ...changed }, options)).toThrow(expect.objectContaining({ code }));
  });
});
