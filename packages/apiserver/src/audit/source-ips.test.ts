import { describe, expect, it } from "vitest";
import { sourceIps } from "./source-ips.ts";

describe("sourceIps", () => {
  it("lists forwarded addresses first and that of the connection last, each in canonical form", () => {
    expect(sourceIps({ "x-forwarded-for": "10.0.0.1, nonsense,2001:DB8::0:1", "x-real-ip": "10.0.0.9" }, "::ffff:127.0.0.1")).toEqual([
      "10.0.0.1",
      "2001:db8::1",
      "10.0.0.9",
      "127.0.0.1",
    ]);
  });

  it("repeats neither the real address nor that of the connection", () => {
    expect(sourceIps({ "x-forwarded-for": "10.0.0.1,10.0.0.2", "x-real-ip": "10.0.0.1" }, "10.0.0.2")).toEqual(["10.0.0.1", "10.0.0.2"]);
    expect(sourceIps({ "x-forwarded-for": "10.0.0.1,10.0.0.2" }, "10.0.0.1")).toEqual(["10.0.0.1", "10.0.0.2", "10.0.0.1"]);
  });

  it("is empty for a caller in the same process", () => {
    expect(sourceIps({}, "")).toEqual([]);
  });
});
