import { describe, expect, it } from "vitest";
import {
  AmbiguousKindError,
  AmbiguousResourceError,
  isAmbiguousError,
  isNoMatchError,
  NoKindMatchError,
  NoResourceMatchError,
} from "./no-match.ts";

const resource = { group: "", version: "", resource: "x" };
const kinds = ["v1", "v2"].map((version) => ({ group: "a", version, kind: "X" }));

describe("mapper errors", () => {
  it("use apimachinery's words", () => {
    expect(new NoResourceMatchError(resource).message).toBe("no matches for /, Resource=x");
    expect(new NoKindMatchError({ group: "a", kind: "X" }, []).message).toBe('no matches for kind "X" in group "a"');
    expect(new NoKindMatchError({ group: "a", kind: "X" }, ["v1", "v1"]).message).toBe('no matches for kind "X" in version "a/v1"');
    expect(new NoKindMatchError({ group: "", kind: "X" }, ["v2", "v1"]).message).toBe('no matches for kind "X" in versions ["v1" "v2"]');
    expect(new AmbiguousResourceError(resource, { kinds }).message).toBe(
      "/, Resource=x matches multiple kinds [a/v1, Kind=X a/v2, Kind=X]",
    );
    expect(new AmbiguousResourceError(resource, { resources: [resource, resource] }).message).toBe(
      "/, Resource=x matches multiple resources [/, Resource=x /, Resource=x]",
    );
    expect(new AmbiguousKindError({ group: "a", version: "", kind: "X" }, kinds).message).toBe(
      "a/, Kind=X matches multiple kinds [a/v1, Kind=X a/v2, Kind=X]",
    );
  });

  it("are either no match or several", () => {
    const noMatch = [new NoResourceMatchError(resource), new NoKindMatchError({ group: "a", kind: "X" }, [])];
    const ambiguous = [
      new AmbiguousResourceError(resource, { kinds }),
      new AmbiguousKindError({ group: "a", version: "", kind: "X" }, kinds),
    ];
    expect([...noMatch, ...ambiguous, new Error("no matches for x")].map(isNoMatchError)).toEqual([true, true, false, false, false]);
    expect([...noMatch, ...ambiguous, new Error("x")].map(isAmbiguousError)).toEqual([false, false, true, true, false]);
  });
});
