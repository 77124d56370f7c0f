import { expect, it } from "vitest";
import { externalRequest } from "./external-event.ts";

it("externalRequest says what was said, and nothing else", () => {
  expect(externalRequest("orders", {})).toEqual({ cause: { type: "external", source: "orders" } });
  expect(externalRequest("orders", { note: "paid", priority: 3, afterMs: 50 })).toEqual({
    priority: 3,
    afterMs: 50,
    cause: { type: "external", source: "orders", note: "paid" },
  });
});
