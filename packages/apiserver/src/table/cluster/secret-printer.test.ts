import { Secret } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("Secret table", () => {
  it("counts keys", () => {
    expect(printed(Secret, { data: { a: "eA==", b: "eA==" } })).toEqual({ Name: "web", Type: "Opaque", Data: 2, Age: "5m" });
    expect(printed(Secret, { type: "t" })).toMatchObject({ Type: "t", Data: 0 });
  });
});
