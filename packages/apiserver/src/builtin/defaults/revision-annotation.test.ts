import { describe, expect, it } from "vitest";
import { DecodeError } from "../../codec/codec.ts";
import { setRevisionAnnotation } from "./revision-annotation.ts";

const made = (text: string): string | undefined => {
  const metadata = { annotations: { n: text } };
  setRevisionAnnotation(metadata, "n", (problem, given) => `${given}: ${problem}`);
  return metadata.annotations.n;
};

describe("setRevisionAnnotation", () => {
  it("normalizes the number", () => {
    expect([made("+05"), made("-0"), made("9223372036854775807")]).toEqual(["5", "0", "9223372036854775807"]);
  });

  it("throws a DecodeError in Go's words for a malformed number", () => {
    expect(() => made("x")).toThrow(new DecodeError('x: strconv.ParseInt: parsing "x": invalid syntax'));
    expect(() => made("9223372036854775808")).toThrow(
      new DecodeError('9223372036854775808: strconv.ParseInt: parsing "9223372036854775808": value out of range'),
    );
    expect(() => made("")).toThrow(DecodeError);
  });

  it("ignores a missing annotation", () => {
    expect(() => setRevisionAnnotation({}, "n", String)).not.toThrow();
    expect(() => setRevisionAnnotation({ annotations: {} }, "constructor", String)).not.toThrow();
  });
});
