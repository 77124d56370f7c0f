import { byteLength } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { checkedReporter } from "./event-recorder.ts";

describe("checkedReporter", () => {
  it("throws for a controller name that the server would reject", () => {
    for (const controller of ["web-controller", "example.com/web-controller"])
      expect(checkedReporter({ controller, instance: "host" })).toEqual({ controller, instance: "host" });
    for (const controller of ["", "web controller", "a/b/c", "-web"])
      expect(() => checkedReporter({ controller, instance: "host" })).toThrow(/needs a controller name like "web-controller"/);
    expect(() => checkedReporter({ controller: "web", instance: "" })).toThrow("the event recorder of web needs an instance");
  });

  it("truncates the instance to 128 bytes", () => {
    expect(byteLength(checkedReporter({ controller: "web", instance: `web-${"h".repeat(300)}` }).instance)).toBe(128);
  });
});
