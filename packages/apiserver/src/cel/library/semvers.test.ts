import { describe, expect, it } from "vitest";
import { valueOf } from "../testing/evaluate-text.ts";

describe("CEL semver functions", () => {
  it.each<[text: string, value: unknown]>([
    ["semver('1.2.3-a.1').isLessThan(semver('1.2.3-a.b'))", true],
    ["semver('1.2.3').isGreaterThan(semver('1.2.3-rc'))", true],
    ["semver('v01.2', true).compareTo(semver('1.2.0'))", 0n],
    ["semver('1.2')", "No Major.Minor.Patch elements found"],
    ["isSemver('1.2.3+b.1') && !isSemver('1.2.3-')", true],
  ])("evaluate %s to %s", (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });
});
