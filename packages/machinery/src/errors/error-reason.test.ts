import { describe, expect, it } from "vitest";
import type { Status } from "../wire/status.ts";
import { ApiError } from "./api-error.ts";
import {
  hasStatusCause,
  isAlreadyExists,
  isConflict,
  isExpired,
  isGone,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnexpectedServerError,
  reasonForError,
  statusCause,
  suggestsClientDelay,
} from "./error-reason.ts";
import {
  newAlreadyExists,
  newConflict,
  newGone,
  newNotFound,
  newResourceExpired,
  newServerTimeout,
  newTimeoutError,
  newTooLargeResourceVersion,
  newTooManyRequests,
} from "./status-error.ts";

const pods = { group: "", resource: "pods" };
const raw = (reason: string, code: number, more: Partial<Status> = {}): ApiError =>
  new ApiError({ kind: "Status", apiVersion: "v1", metadata: {}, reason, code, ...more });

describe("error predicates", () => {
  it("compare the reason, also of causes", () => {
    const error = new Error("get", { cause: new ApiError(newNotFound(pods, "x")) });
    expect([isNotFound(error), isConflict(error), reasonForError(error)]).toEqual([true, false, "NotFound"]);
    expect([isNotFound(undefined), isNotFound(new Error("404 not found")), reasonForError("x")]).toEqual([false, false, ""]);
  });

  it("compare the code only without a known reason", () => {
    expect([
      isNotFound(raw("", 404)),
      isNotFound(raw("Whatever", 404)),
      isNotFound(raw("Conflict", 404)),
      isNotFound(raw("NotFound", 500)),
    ]).toEqual([true, true, false, true]);
    expect([isTooManyRequests(raw("Conflict", 429)), isRequestEntityTooLarge(raw("Conflict", 413))]).toEqual([true, true]);
    expect([isServerTimeout(raw("", 500)), isAlreadyExists(raw("", 409))]).toEqual([false, false]);
  });

  it("distinguish the two meanings of 409", () => {
    expect([isConflict(new ApiError(newConflict(pods, "x", "y"))), isAlreadyExists(new ApiError(newConflict(pods, "x", "y")))]).toEqual([
      true,
      false,
    ]);
    expect([isConflict(new ApiError(newAlreadyExists(pods, "x"))), isAlreadyExists(new ApiError(newAlreadyExists(pods, "x")))]).toEqual([
      false,
      true,
    ]);
  });

  it("recognize 410 in all its forms", () => {
    const errors = [new ApiError(newResourceExpired("too old")), new ApiError(newGone("gone")), raw("", 410), raw("NotFound", 410)];
    expect(errors.map(isExpired)).toEqual([true, true, true, false]);
    expect(errors.map(isGone)).toEqual([false, true, true, false]);
  });

  it("recognize a too large resource version, also from old servers", () => {
    const errors = [
      new ApiError(newTooLargeResourceVersion("9", "5", 1)),
      new ApiError(newTimeoutError("Too large resource version: 9, current: 5", 1)),
      raw("Timeout", 504, { details: { causes: [{ message: "Too large resource version" }] } }),
      new ApiError(newTimeoutError("slow", 1)),
    ];
    expect(errors.map(isTooLargeResourceVersion)).toEqual([true, true, true, false]);
    expect(errors.map(isTimeout)).toEqual([true, true, true, true]);
  });

  it("find causes by reason", () => {
    const error = raw("InternalError", 500, { details: { causes: [{ reason: "UnexpectedServerResponse", message: "<html>" }] } });
    expect([hasStatusCause(error, "UnexpectedServerResponse"), isUnexpectedServerError(error), hasStatusCause(error, "x")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(statusCause(error, "UnexpectedServerResponse")?.message).toBe("<html>");
  });

  it("return how long to wait", () => {
    expect(
      [newTooManyRequests("x", 3), newServerTimeout(pods, "get", 0), newTooManyRequests("x", 0), newNotFound(pods, "x")].map((status) =>
        suggestsClientDelay(new ApiError(status)),
      ),
    ).toEqual([3, 0, undefined, undefined]);
    expect(suggestsClientDelay(new ApiError(newNotFound(pods, "x"), { retryAfterSeconds: 4 }))).toBe(4);
  });
});
