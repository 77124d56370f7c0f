import { Endpoints } from "@drover/api/core/v1";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

const endpoints = (...subsets: readonly JsonObject[]): JsonValue => printed(Endpoints, { subsets: [...subsets] })["Endpoints"] ?? null;

describe("Endpoints table", () => {
  it("prints every address with every port", () => {
    expect(
      endpoints(
        { addresses: [{ ip: "1.1.1.1" }], ports: [{ port: 80 }, { port: 81 }] },
        { addresses: [{ ip: "::1" }], ports: [{ port: 82 }] },
      ),
    ).toBe("1.1.1.1:80,1.1.1.1:81,[::1]:82");
    expect(endpoints({ addresses: [{ ip: "1.1.1.1" }, { ip: "::1" }] })).toBe("1.1.1.1,::1");
  });

  it("prints the first three addresses and the number of others", () => {
    expect(endpoints({ addresses: [{ ip: "1.1.1.1" }, { ip: "1.1.1.2" }], ports: [{ port: 80 }, { port: 81 }] })).toBe(
      "1.1.1.1:80,1.1.1.2:80,1.1.1.1:81 + 1 more...",
    );
  });

  it("prints <none> without subsets, and nothing without ready addresses", () => {
    expect(printed(Endpoints, {})).toEqual({ Name: "web", Endpoints: "<none>", Age: "5m" });
    expect(endpoints({ notReadyAddresses: [{ ip: "1.1.1.1" }], ports: [{ port: 80 }] })).toBe("");
  });
});
