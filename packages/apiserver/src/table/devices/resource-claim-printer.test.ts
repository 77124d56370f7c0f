import { ResourceClaim } from "@drover/api/resource/v1";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { printed, secondsAgo } from "../../testing/printed.ts";

const stateOf = (status: JsonObject, metadata: JsonObject = {}): JsonValue => printed(ResourceClaim, { metadata, status })["State"] ?? null;
const going = { deletionTimestamp: secondsAgo(0) };

describe("ResourceClaim table", () => {
  it("has the allocation state", () => {
    expect(printed(ResourceClaim, {})).toEqual({ Name: "web", State: "pending", Age: "5m" });
    expect(stateOf({ allocation: {} })).toBe("allocated");
    expect(stateOf({ allocation: {}, reservedFor: [{ resource: "pods", name: "p", uid: "u" }] })).toBe("allocated,reserved");
  });

  it("has the state of a terminating claim", () => {
    expect(stateOf({}, going)).toBe("deleted");
    expect(stateOf({ allocation: {} }, going)).toBe("deleted,allocated");
  });
});
