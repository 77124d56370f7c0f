import { describe, expect, it } from "vitest";
import { valueOf } from "../testing/evaluate-text.ts";

describe("CEL named formats", () => {
  it.each<[text: string, value: unknown]>([
    ["format.dns1123Label().validate('a-b').hasValue()", false],
    ["format.named('nope').hasValue()", false],
    ["format.uuid().validate('x').value()[0]", "does not match the UUID format"],
    ["format.date() == format.named('date').value()", true],
  ])("evaluate %s to %s", (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });
});
