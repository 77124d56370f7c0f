import { UnknownOutcomeError, isOutcomeUnknown } from "@drover/machinery";
import { expect, it } from "vitest";
import { TransportError } from "../transport/transport-error.ts";
import { lost, unanswered } from "./response-error.ts";

const read = { attempt: "list pods in shop", method: "GET" };
const write = { attempt: "create pods in shop", method: "POST" };

it("unanswered names the attempt and keeps the cause", () => {
  const cause = new Error("refused");
  expect(unanswered(read, cause, undefined)).toMatchObject({
    name: "ResponseError",
    reason: "unanswered",
    message: "list pods in shop: refused",
    statusCode: undefined,
    cause,
  });
  expect(unanswered(read, "text", undefined)).toMatchObject({ message: "list pods in shop: text" });
});

it("unanswered passes an abort on unchanged, whatever the transport threw", () => {
  const reason = new Error("enough");
  expect(unanswered(write, new Error("destroyed"), AbortSignal.abort(reason))).toBe(reason);
});

it("unanswered passes an unknown outcome on, and returns one for a write that the server may have received", () => {
  const known = new UnknownOutcomeError({ attempt: "x", why: "y" });
  expect(unanswered(write, known, undefined)).toBe(known);
  const failed = (sent: "no" | "maybe") => new TransportError("reset", { reason: "reset", sent });
  expect(isOutcomeUnknown(unanswered(write, failed("maybe"), undefined))).toBe(true);
  expect(isOutcomeUnknown(unanswered(write, failed("no"), undefined))).toBe(false);
  expect(isOutcomeUnknown(unanswered(read, failed("maybe"), undefined))).toBe(false);
});

it("lost returns a ResponseError for a read and an unknown outcome for a write", () => {
  expect(lost(read, 200, new Error("reset"))).toMatchObject({ name: "ResponseError", reason: "lost" });
  expect(lost(write, 201, new Error("reset"))).toMatchObject({
    name: "UnknownOutcomeError",
    message: expect.stringContaining("the response (status 201) was truncated: reset") as unknown,
  });
});
