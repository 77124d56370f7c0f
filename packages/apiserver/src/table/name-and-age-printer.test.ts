import { ServiceAccount } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../testing/printed.ts";

describe("ServiceAccount table", () => {
  it("has name and age", () => expect(printed(ServiceAccount, {})).toEqual({ Name: "web", Age: "5m" }));
});
