import { RuntimeClass } from "@drover/api/node/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("RuntimeClass table", () => {
  it("has the handler", () => expect(printed(RuntimeClass, { handler: "h" })).toEqual({ Name: "web", Handler: "h", Age: "5m" }));
});
