import { IPAddress } from "@drover/api/networking/v1";
import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { sampleOf } from "../../testing/workload-sample.ts";
import { printed, printedAt, secondsAgo } from "../../testing/printed.ts";
import { jsonOf } from "../../typed-object.ts";
import { ipAddressPrinter } from "./ip-address-printer.ts";

const parent = (parentRef: JsonObject): object => printed(IPAddress, { spec: { parentRef } });

describe("IPAddress table", () => {
  it("has the parent of an address", () => {
    expect(parent({ resource: "services", namespace: "n", name: "s" })).toEqual({ Name: "web", ParentRef: "services/n/s" });
    expect(parent({ group: "Example.com", resource: "things", name: "t" })).toEqual({ Name: "web", ParentRef: "things.example.com/t" });
    expect(printed(IPAddress, {})).toMatchObject({ ParentRef: "<none>" });
  });

  it("has an age without a column", () => {
    const object = sampleOf(IPAddress, {
      metadata: { creationTimestamp: secondsAgo(5) },
      spec: { parentRef: { resource: "services", name: "s" } },
    });
    expect(ipAddressPrinter.row(jsonOf(object), printedAt).cells).toEqual(["web", "services/s", "5s"]);
    expect(ipAddressPrinter.columns).toHaveLength(2);
  });
});
