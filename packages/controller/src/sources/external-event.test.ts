import { expect, it } from "vitest";
import { externalRequest } from "./external-event.ts";

it("externalRequest contains only what was given", () => {
  expect(externalRequest("orders", {})).toEqual({ cause: { type: "external", source: "orders" } });
  expect(externalRequest("orders", { note: "paid", priority: 3, afterMs: 50 })).toEqual({
    priority: 3,
    afterMs: 50,
    cause: { type: "external", source: "orders", note: "paid" },
  });
});
