import { describe, expect, it } from "vitest";
import { offersHttp2 } from "./http2-choice.ts";

const choice = (option: boolean | undefined, value?: string): boolean =>
  offersHttp2(option, { env: value === undefined ? {} : { DROVER_HTTP2: value } });

describe("offersHttp2", () => {
  it("is off without an option and a variable", () => {
    expect([choice(undefined), choice(undefined, ""), choice(undefined, "0"), choice(undefined, "false")]).toEqual(Array(4).fill(false));
  });

  it("follows DROVER_HTTP2, and prefers the option of the program", () => {
    expect([choice(undefined, "1"), choice(undefined, "true"), choice(false, "1"), choice(true, "0")]).toEqual([true, true, false, true]);
  });

  it("refuses other values of the variable, and says which it takes", () => {
    expect(() => choice(undefined, "yes")).toThrow(new TypeError('DROVER_HTTP2 is "yes"; set it to "1" or "0", or unset it'));
    expect(choice(true, "yes")).toBe(true);
  });
});
