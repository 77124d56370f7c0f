import { ResponseError, TransportError, WatchSilenceError } from "@drover/client";
import {
  ApiError,
  WatchFrameError,
  newFailure,
  newGone,
  newResourceExpired,
  newServerTimeout,
  newTooLargeResourceVersion,
  newTooManyRequests,
} from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { RelistAsked, WatchProtocolError, failureOf } from "./reflector-failure.ts";

const answered = (code: number, reason = ""): ApiError => new ApiError(newFailure(code, reason as "", `answer ${code}`));
const reset = new TransportError("reset", { reason: "reset", sent: "maybe" });

describe("failureOf", () => {
  it.each([
    ["410 Expired", "expired", new ApiError(newResourceExpired("old"))],
    ["410 Gone", "expired", new ApiError(newGone("old"))],
    ["410 of a proxy", "expired", answered(410)],
    ["410 behind another error", "expired", new Error("list", { cause: answered(410) })],
    ["504 too large", "too-large", new ApiError(newTooLargeResourceVersion("9", "8", 1))],
    ["504 too large in old words", "too-large", new ApiError(newFailure(504, "Timeout", "Too large resource version: 9, current: 8", {}))],
    ["429", "throttled", answered(429)],
    ["400", "unsupported", answered(400)],
    ["405", "unsupported", answered(405)],
    ["406", "unsupported", answered(406)],
    ["422", "unsupported", answered(422)],
    ["401", "unwilling", answered(401)],
    ["403", "unwilling", answered(403)],
    ["500", "unwilling", answered(500)],
    ["503", "unwilling", answered(503)],
    ["504", "unwilling", answered(504)],
    ["404", "other", answered(404)],
    ["409", "other", answered(409)],
    ["an object that cannot be read back", "other", answered(500, "StorageReadError")],
    ["no answer", "unreachable", new ResponseError("watch pods", "unanswered", "refused", { cause: reset })],
    ["a bare transport error", "unreachable", reset],
    ["a body that breaks off", "lost", new ResponseError("watch pods", "lost", "reset", { cause: reset })],
    ["half a line", "lost", new WatchFrameError("half", { truncated: true })],
    ["junk", "lost", new WatchFrameError("junk")],
    ["silence", "silent", new WatchSilenceError("watch pods", 150_000)],
    ["a web page", "other", new ResponseError("watch pods", "content-type", "text/html")],
    ["a broken rule", "protocol", new WatchProtocolError("older")],
    ["a request to list", "asked", new RelistAsked("audit")],
    ["anything", "other", new Error("anything")],
    ["no error at all", "other", "text"],
  ] as const)("classifies %s as %s", (_, kind, error) => {
    expect(failureOf(error, "request").kind).toBe(kind);
  });

  it("classifies an error within a stream as other: events may be missing", () => {
    expect([500, 503, 403].map((code) => failureOf(answered(code), "event").kind)).toEqual(["other", "other", "other"]);
    expect([410, 429].map((code) => failureOf(answered(code), "event").kind)).toEqual(["expired", "throttled"]);
  });

  it("returns the delay that the server requests", () => {
    expect(failureOf(new ApiError(newTooManyRequests("later", 7)), "request").retryAfterMs).toBe(7000);
    expect(failureOf(new ApiError(newServerTimeout({ group: "", resource: "pods" }, "list", 3)), "request").retryAfterMs).toBe(3000);
    expect(failureOf(answered(500), "request").retryAfterMs).toBe(0);
  });
});
