import { ResourceClaim } from "@drover/api/resource/v1";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { printed, secondsAgo } from "../../testing/printed.ts";

const stateOf = (status: JsonObject, metadata: JsonObject = {}): JsonValue => printed(ResourceClaim, { metadata, status })["State"] ?? null;
const going = { deletionTimestamp: secondsAgo(0) };

describe("the table of claims of devices", () => {
  it("says how far they have come", () => {
    expect(printed(ResourceClaim, {})).toEqual({ Name: "web", State: "pending", Age: "5m" });
    expect(stateOf({ allocation: {} })).toBe("allocated");
    expect(stateOf({ allocation: {}, reservedFor: [{ resource: "pods", name: "p", uid: "u" }] })).toBe("allocated,reserved");
  });

  it("says that they are going, and what they still have", () => {
    expect(stateOf({}, going)).toBe("deleted");
    expect(stateOf({ allocation: {} }, going)).toBe("deleted,allocated");
  });
});
