import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseStatus } from "./parse-status.ts";

const head = { kind: "Status", apiVersion: "v1" };

describe("parseStatus", () => {
  it("keeps known members and drops the rest", () => {
    expect(
      parseStatus({
        ...head,
        metadata: { continue: "abc", other: 1 },
        status: "Failure",
        message: "m",
        reason: "",
        details: { name: "x", causes: [{ reason: "r", extra: 1 }, null], retryAfterSeconds: 0 },
        code: 410,
        extra: true,
      }),
    ).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: { continue: "abc" },
      status: "Failure",
      message: "m",
      details: { name: "x", causes: [{ reason: "r" }, {}] },
      code: 410,
    });
    expect(parseStatus({ kind: "Status" })).toEqual({ ...head, metadata: {} });
    expect(parseStatus({ ...head, metadata: null, details: null, message: null, code: null })).toEqual({ ...head, metadata: {} });
  });

  it.each([
    ["nothing", null],
    ["a list", []],
    ["text", "Status"],
    ["another kind", { ...head, kind: "Pod" }],
    ["an odd version", { ...head, apiVersion: "a/b/c" }],
    ["a version that is a number", { ...head, apiVersion: 1 }],
    ["a number for a message", { ...head, message: 5 }],
    ["text for a code", { ...head, code: "404" }],
    ["half a code", { ...head, code: 404.5 }],
    ["a list for details", { ...head, details: [] }],
    ["text for metadata", { ...head, metadata: "x" }],
    ["causes that are none", { ...head, details: { causes: {} } }],
    ["a cause that is text", { ...head, details: { causes: ["x"] } }],
    ["a number for a name", { ...head, details: { name: 1 } }],
  ])("rejects %s", (_, value) => {
    expect(parseStatus(value)).toBeUndefined();
  });

  it("survives any input, without prototype pollution", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("kind", "apiVersion", "metadata", "status", "message", "details", "code", "__proto__"),
          fc.oneof(fc.constantFrom("Status", "v1", "Failure", 5), fc.jsonValue({ maxDepth: 1 })),
        ),
        (value) => {
          const status = parseStatus(value);
          if (status !== undefined) expect(status.kind).toBe("Status");
          expect(({} as Record<string, unknown>)["message"]).toBeUndefined();
        },
      ),
    );
  });
});
