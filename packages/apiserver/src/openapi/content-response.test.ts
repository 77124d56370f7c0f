import { describe, expect, it } from "vitest";
import { contentResponse } from "./content-response.ts";

const lastModified = Date.UTC(2026, 10, 15, 20, 16, 13, 500);
const content = { body: "text", contentType: "application/json", tag: "AB", lastModified, headers: { vary: "Accept" } };
const get = (headers: Readonly<Record<string, string>> = {}, method = "GET"): ReturnType<typeof contentResponse> =>
  contentResponse({ method, path: "/", headers }, content);

describe("contentResponse", () => {
  it("sends an ETag and Last-Modified", () => {
    expect(get()).toEqual({
      status: 200,
      body: "text",
      headers: { vary: "Accept", etag: '"AB"', "last-modified": "Sun, 15 Nov 2026 20:16:13 GMT", "content-type": "application/json" },
    });
  });

  it("answers 304 for a matching, weak or wildcard If-None-Match", () => {
    for (const tags of ['"AB"', '"x", "AB"', 'W/"AB"', "*"])
      expect(get({ "if-none-match": tags })).toEqual({ status: 304, body: "", headers: { vary: "Accept", etag: '"AB"' } });
    for (const tags of ["AB", '"ab"', '"x"']) expect(get({ "if-none-match": tags }).status).toBe(200);
  });

  it("answers 304 for If-Modified-Since unless an ETag is sent", () => {
    expect(get({ "if-modified-since": "Sun, 15 Nov 2026 20:16:13 GMT" }).status).toBe(304);
    expect(get({ "if-modified-since": "Sun, 15 Nov 2026 20:16:12 GMT" }).status).toBe(200);
    expect(get({ "if-modified-since": "Sun, 15 Nov 2037 20:16:13 GMT", "if-none-match": '"x"' }).status).toBe(200);
    expect(get({ "if-modified-since": "never" }).status).toBe(200);
  });

  it("sends the document for other methods, and no body for HEAD", () => {
    expect(get({ "if-none-match": '"AB"' }, "POST").body).toBe("text");
    expect(get({}, "HEAD")).toMatchObject({ status: 200, body: "" });
  });
});
