import { describe, expect, it } from "vitest";
import { judgeRead } from "./read-verdict.ts";

const known = { uid: "u1", resourceVersion: "50" };
const judge = (answer: typeof known | undefined, isNewest: boolean, now: typeof known | undefined = known) =>
  judgeRead({ known, now, answer, isNewest, isSameContent: true });

describe("judgeRead", () => {
  it("keeps the known version, passes on a newer one, and rejects an older one", () => {
    expect(judge({ uid: "u1", resourceVersion: "50" }, false)).toBe("keep");
    expect(judge({ uid: "u1", resourceVersion: "51" }, false)).toBe("pass");
    expect(judge({ uid: "u1", resourceVersion: "49" }, true)).toBe("stale");
  });

  it("believes only the newest state that an object is gone or replaced", () => {
    expect([judge(undefined, false), judge(undefined, true)]).toEqual(["again", "gone"]);
    expect([judge({ uid: "u2", resourceVersion: "60" }, false), judge({ uid: "u2", resourceVersion: "60" }, true)]).toEqual([
      "again",
      "gone",
    ]);
    expect(judge({ uid: "u0", resourceVersion: "40" }, true)).toBe("stale");
  });

  it("asks again if the store has another version by now, even an equal one", () => {
    for (const now of [undefined, { ...known }, { uid: "u2", resourceVersion: "60" }])
      expect(judgeRead({ known, now, answer: known, isNewest: true, isSameContent: true })).toBe("again");
  });

  it("compares opaque versions only for equality", () => {
    const opaque = { uid: "u1", resourceVersion: "v1-a" };
    const at = (resourceVersion: string, isNewest: boolean) =>
      judgeRead({ known: opaque, now: opaque, answer: { uid: "u1", resourceVersion }, isNewest, isSameContent: true });
    expect([at("v1-a", false), at("v1-b", false), at("v1-b", true)]).toEqual(["keep", "again", "pass"]);
  });

  it("does not cache other content of the same version, and believes it only from the newest state", () => {
    const stored = { uid: "u1", resourceVersion: "5" };
    const verdicts = [false, true].map((isNewest) =>
      judgeRead({ known: stored, now: stored, answer: { ...stored }, isNewest, isSameContent: false }),
    );
    expect(verdicts).toEqual(["again", "pass"]);
  });
});
