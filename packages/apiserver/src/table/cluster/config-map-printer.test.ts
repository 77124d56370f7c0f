import { ConfigMap } from "@drover/api/core/v1";
import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("ConfigMap table", () => {
  it("counts keys of data and binaryData", () => {
    expect(printed(ConfigMap, { data: JSON.parse('{"__proto__":"1","a":"2"}') as JsonObject, binaryData: { b: "eA==" } })).toEqual({
      Name: "web",
      Data: 3,
      Age: "5m",
    });
    expect(printed(ConfigMap, {})).toMatchObject({ Data: 0 });
  });
});
