import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateProjectedVolume } from "./projected-volume.ts";

describe("a projected volume", () => {
  it("has no two files at one place", () => {
    expect(
      texts(
        validateProjectedVolume(
          {
            sources: [
              { secret: { name: "s", items: [{ key: "a", path: "x" }] } },
              { configMap: { name: "c", items: [{ key: "a", path: "x" }] } },
            ],
          },
          "p",
        ),
      ),
    ).toEqual(['p: Invalid value: "c": conflicting duplicate paths']);
  });

  it("has one kind of source at a time", () => {
    expect(texts(validateProjectedVolume({ sources: [{ secret: { name: "s" }, configMap: {} }] }, "p"))).toEqual([
      "p.sources[0].configMap.name: Required value",
      "p.sources[0]: Forbidden: may not specify more than 1 volume type per source",
    ]);
  });

  it("has tokens that live for ten minutes at least", () => {
    expect(texts(validateProjectedVolume({ sources: [{ serviceAccountToken: { path: "", expirationSeconds: 5 } }] }, "p"))).toEqual([
      "p.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes",
      "p.path: Required value",
    ]);
  });
});
