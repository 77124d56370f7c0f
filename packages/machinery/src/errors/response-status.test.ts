import { describe, expect, it } from "vitest";
import { retryAfterSeconds, statusFromResponse } from "./response-status.ts";
import { newNotFound } from "./status-error.ts";

const json = { "content-type": "application/json" };
const notFound = newNotFound({ group: "", resource: "pods" }, "x");

describe("statusFromResponse", () => {
  it("returns the server's Status", () => {
    expect(statusFromResponse({ code: 404, headers: json, body: JSON.stringify(notFound), method: "GET" })).toEqual(notFound);
    expect(statusFromResponse({ code: 404, headers: {}, body: JSON.stringify(notFound), method: "GET" })).toEqual(notFound);
    expect(
      statusFromResponse({
        code: 500,
        headers: { "content-type": "Application/JSON; charset=utf-8" },
        body: JSON.stringify(notFound),
        method: "GET",
      }).code,
    ).toBe(404);
  });

  it("builds a Status from the code if the body has none, or one that is not a failure", () => {
    for (const body of [
      "",
      "{",
      "null",
      "{}",
      JSON.stringify({ ...notFound, status: "Success" }),
      JSON.stringify({ ...notFound, code: "404" }),
    ]) {
      expect(
        statusFromResponse({
          code: 503,
          headers: { ...json, "retry-after": "5" },
          body,
          method: "GET",
          resource: { group: "", resource: "pods" },
          name: "x",
        }),
      ).toMatchObject({
        reason: "ServiceUnavailable",
        code: 503,
        message: "the server is currently unable to handle the request (get pods x)",
        details: { retryAfterSeconds: 5, causes: [{ reason: "UnexpectedServerResponse", message: "unknown" }] },
      });
    }
  });

  it("ignores a Status in a text response", () => {
    expect(
      statusFromResponse({ code: 404, headers: { "content-type": "text/plain" }, body: JSON.stringify(notFound), method: "GET" }).message,
    ).toBe("the server could not find the requested resource");
  });

  it("keeps the first 2048 bytes of a text, in whole characters", () => {
    const cause = (body: string): string =>
      statusFromResponse({ code: 502, headers: { "content-type": "text/html" }, body, method: "GET" }).details?.causes?.[0]?.message ?? "";
    expect(cause(` ${"x".repeat(5000)} `)).toBe("x".repeat(2047));
    expect(cause("é".repeat(5000))).toBe("é".repeat(1024));
    expect(cause(`x${"é".repeat(5000)}`)).toBe(`x${"é".repeat(1023)}`);
  });
});

describe("retryAfterSeconds", () => {
  it("is a number of seconds or undefined", () => {
    expect(
      ["5", "-1", "+3", "", "soon", "1.5", "Wed, 21 Oct 2026 07:28:00 GMT"].map((text) => retryAfterSeconds({ "retry-after": text })),
    ).toEqual([5, -1, 3, undefined, undefined, undefined, undefined]);
    expect(retryAfterSeconds({ "retry-after": ["2", "9"] })).toBe(2);
    expect(retryAfterSeconds({})).toBeUndefined();
  });
});
