import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSelector } from "./parse-selector.ts";
import { SelectorError } from "./selector-error.ts";

const message = (text: string): string => {
  try {
    return `fine: ${parseSelector(text).toString()}`;
  } catch (error) {
    if (error instanceof SelectorError) return error.message;
    throw error;
  }
};

describe("parseSelector", () => {
  it.each([
    ["", ""],
    [" \t", ""],
    ["x=a", "x=a"],
    ["x = a , y == b", "x=a,y==b"],
    ["x!=a", "x!=a"],
    ["x=", "x="],
    ["x,!y", "x,!y"],
    ["! y", "!y"],
    ["x>1,y<-0", undefined],
    ["x > 1 , y<2", "x>1,y<2"],
    ["x in (b,a,b)", "x in (a,b)"],
    ["x in ()", "x in ()"],
    ["x in (,)", "x in ()"],
    ["x in (a,,)", "x in (,a)"],
    ["x notin (a)", "x notin (a)"],
    ["in in (in,notin)", "in in (in,notin)"],
    ["notin=in", "notin=in"],
    ["!in", "!in"],
    ["x.io/a_b.c-d=E", "x.io/a_b.c-d=E"],
    ["z,y,x", "x,y,z"],
  ])("parses %j as %j", (text, printed) => {
    if (printed === undefined) expect(message(text)).toMatch(/^unable to parse requirement/);
    else expect(message(text)).toBe(`fine: ${printed}`);
  });

  it.each([
    [
      "x=a||y=b",
      "unable to parse requirement: values[0][x]: Invalid value: \"a||y\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
    ["x==a==b", "found '==', expected: ',' or 'end of string'"],
    ["!x=a", "found '=', expected: ',' or 'end of string'"],
    ["x<a", "unable to parse requirement: values[0]: Invalid value: \"a\": for 'Gt', 'Lt' operators, the value must be an integer"],
    ["x,", "found '', expected: identifier after ','"],
    [",x", "found ',', expected: !, identifier, or 'end of string'"],
    ["x y", "unable to parse requirement: found 'y', expected: in, notin, =, ==, !=, gt, lt"],
    ["x in a", "unable to parse requirement: found 'a' expected: '('"],
    ["x in (=", "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ["x in (a b)", "unable to parse requirement: found 'b', expected: ',' or ')'"],
    ["x in (a,", "unable to parse requirement: found '', expected: ',', or identifier"],
    ["x=(", "unable to parse requirement: found '(', expected: identifier"],
    ["!", "unable to parse requirement: found '', expected: identifier"],
  ])("rejects %j with a reason", (text, why) => {
    expect(message(text)).toBe(why);
  });

  it("names the whole object <nil> for a wrong key, as the server does", () => {
    expect(message("a/b/c")).toMatch(/^unable to parse requirement: <nil>: Invalid value: "a\/b\/c": a valid label key must consist of/);
  });

  it("never fails otherwise, and never parses a text as something that prints differently", () => {
    const piece = fc.constantFrom("a", "b1", "in", "notin", "=", "==", "!=", "!", "(", ")", ",", "<", ">", " ", "1", "-", "é", "\0");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const outcome = message(text);
        if (outcome.startsWith("fine: ")) expect(message(outcome.slice(6))).toBe(outcome);
      }),
    );
  });

  it("takes time proportional to a long list", () => {
    const text = `x in (${Array.from({ length: 50_000 }, (_, index) => `v${index}`).join(",")})`;
    expect(parseSelector(text).matches({ x: "v49999" })).toBe(true);
    expect(() => parseSelector("(".repeat(100_000))).toThrow(SelectorError);
  });
});
