import { Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { basicSource } from "./basic.ts";

describe("basicSource", () => {
  it("sends name and password in UTF-8, with colons in the password", async () => {
    const source = basicSource({ username: "Åsa", password: new Secret("p:ä") });
    expect((await source.header({}))?.reveal()).toBe(`Basic ${Buffer.from("Åsa:p:ä", "utf8").toString("base64")}`);
    expect(await source.refused(undefined)).toBe(false);
  });

  it("rejects a name with a colon", () => {
    expect(() => basicSource({ username: "a:b", password: new Secret("p") })).toThrow("cannot contain a colon");
  });
});
