import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { validateDriverName } from "./driver-name.ts";

describe("the name of a driver", () => {
  it("is a subdomain of at most 63 bytes, perhaps with capitals", () => {
    expect(["Dra.example.com", "", "a_b", "a".repeat(64)].map((name) => validateDriverName(name, "d").length)).toEqual([0, 1, 1, 1]);
    expect(validateDriverName("a".repeat(64), "d").map(printFieldError)).toEqual(["d: Too long: may not be more than 63 bytes"]);
  });
});
