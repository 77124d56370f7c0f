import { ApiError, isConflict, newConflict, newNotFound } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { handlerFailure, joinedFailure } from "./handler-failures.ts";

const pods = { group: "", resource: "pods" };
const conflict = handlerFailure("a", new ApiError(newConflict(pods, "web", "it was changed")));
const missing = handlerFailure("b", new ApiError(newNotFound(pods, "web")));

describe("failures of a handler chain", () => {
  it("name the handler and keep what it threw, also if that was not an Error", () => {
    const cause = new Error("no such thing");
    expect(handlerFailure("count", cause)).toMatchObject({ message: "handler count: no such thing", cause });
    expect(handlerFailure("count", "oops").message).toBe("handler count: oops");
  });

  it("stay alone if there is one, and are joined if there are several", () => {
    expect(joinedFailure([missing])).toBe(missing);
    expect(joinedFailure([handlerFailure("a", "one"), handlerFailure("b", "two")]).message).toBe("handler a: one, handler b: two");
  });

  it("are a conflict only if all of them are", () => {
    expect(
      [[conflict], [conflict, conflict], [conflict, missing], [missing, conflict]].map(([first = conflict, ...others]) =>
        isConflict(joinedFailure([first, ...others])),
      ),
    ).toEqual([true, true, false, false]);
  });
});
