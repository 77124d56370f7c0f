import { describe, expect, it } from "vitest";
import { listenLimits } from "./listen-limits.ts";

describe("listenLimits", () => {
  it("applies defaults that can be overridden one by one", () => {
    expect(listenLimits({})).toMatchObject({ bodyBytesMax: 3_145_728, headersTimeoutMs: 32_000, idleTimeoutMs: 90_000 });
    expect(listenLimits({ bodyBytesMax: 10 })).toEqual({ ...listenLimits({}), bodyBytesMax: 10 });
  });
});
