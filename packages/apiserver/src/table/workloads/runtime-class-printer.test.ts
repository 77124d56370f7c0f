import { RuntimeClass } from "@drover/api/node/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("the table of runtime classes", () => {
  it("has what runs the pods", () => expect(printed(RuntimeClass, { handler: "h" })).toEqual({ Name: "web", Handler: "h", Age: "5m" }));
});
