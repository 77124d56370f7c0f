import { describe, expect, it } from "vitest";
import { effectiveFormat, formatCheck } from "./formats.ts";

describe("formatCheck", () => {
  it.each([
    ["bsonobjectid", "507f1f77bcf86cd799439011", "507f"],
    ["uuid", "123E4567E89B12D3A456426614174000", "x"],
    ["uuid3", "123e4567-e89b-32d3-0456-426614174000", "123e4567-e89b-42d3-a456-426614174000"],
    ["uuid4", "123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-c456-426614174000"],
    ["isbn", "978-0321751041", "123"],
    ["isbn10", "080442957X", "0804429570"],
    ["isbn13", "9780321751041", "9780321751042"],
    ["creditcard", "4111-1111-1111-1111", "4111-1111-1111-1112"],
    ["ssn", "123-45-6789", "123456789"],
    ["hexcolor", "#fff", "#ffff"],
    ["rgbcolor", "rgb(0, 99,255)", "rgb(0,0,256)"],
    ["byte", "YQ==", "YQ="],
    ["k8s-short-name", "a-b", "a.b"],
    ["k8s-long-name", "a.b", "a..b"],
    ["date-time", "2020-01-01T00:00:00Z", "2020-01-01"],
    ["datetime", "2020-01-01T00:00:00Z", "x"],
  ])("%s accepts %s and rejects %s", (format, good, bad) => {
    expect(formatCheck(format)?.(good)).toBe(true);
    expect(formatCheck(format)?.(bad)).toBe(false);
  });

  it("accepts any password", () => expect(formatCheck("password")?.("")).toBe(true));

  it("does not check unknown formats", () => {
    expect(formatCheck("unknown")).toBeUndefined();
    expect(formatCheck("toString")).toBeUndefined();
  });

  it("lets effectiveFormat apply a format only to its type", () => {
    expect(effectiveFormat("date", ["string"])).toBe("date");
    expect(effectiveFormat("date", [])).toBe("date");
    expect(effectiveFormat("date", ["integer", "string"])).toBe("date");
    expect(effectiveFormat("date", ["integer"])).toBe("");
    expect(effectiveFormat("int32", ["integer"])).toBe("int32");
    expect(effectiveFormat("int32", ["number"])).toBe("");
    expect(effectiveFormat("double", ["number"])).toBe("double");
    expect(effectiveFormat("byte", ["object"])).toBe("");
    expect(effectiveFormat("unknown", ["string"])).toBe("");
  });
});
