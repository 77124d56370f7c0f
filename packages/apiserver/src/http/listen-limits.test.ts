import { describe, expect, it } from "vitest";
import { listenLimits } from "./listen-limits.ts";

describe("the limits of a listener", () => {
  it("have defaults, each of which can be changed alone", () => {
    expect(listenLimits({})).toMatchObject({ bodyBytesMax: 3_145_728, headersTimeoutMs: 32_000, idleTimeoutMs: 90_000 });
    expect(listenLimits({ bodyBytesMax: 10 })).toEqual({ ...listenLimits({}), bodyBytesMax: 10 });
  });
});
