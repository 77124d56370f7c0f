import { ServiceAccount } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../testing/printed.ts";

describe("the table of service accounts", () => {
  it("has names and ages", () => expect(printed(ServiceAccount, {})).toEqual({ Name: "web", Age: "5m" }));
});
