import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateProjectedVolume } from "./projected-volume.ts";

describe("validateProjectedVolume", () => {
  it("refuses conflicting paths", () => {
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

  it("requires exactly one kind per source", () => {
    expect(texts(validateProjectedVolume({ sources: [{ secret: { name: "s" }, configMap: {} }] }, "p"))).toEqual([
      "p.sources[0].configMap.name: Required value",
      "p.sources[0]: Forbidden: may not specify more than 1 volume type per source",
    ]);
  });

  it("requires token expiration of at least ten minutes", () => {
    expect(texts(validateProjectedVolume({ sources: [{ serviceAccountToken: { path: "", expirationSeconds: 5 } }] }, "p"))).toEqual([
      "p.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes",
      "p.path: Required value",
    ]);
  });
});
