import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base64Text, TextTable } from "./text-table.ts";

const arrays = [
  ["a Buffer", (bytes: Uint8Array): Uint8Array => Buffer.from(bytes)],
  ["a plain array", (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)],
] as const;

describe.each(arrays)("TextTable on %s", (_, arrayOf) => {
  it("decodes every text, however often and in whatever order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "Always", "é", "\ufeffx", "x".repeat(41)))),
        (texts) => {
          const table = new TextTable();
          for (const text of [...texts, ...texts]) {
            const bytes = arrayOf(new TextEncoder().encode(`<${text}>`));
            expect(table.text(bytes, 1, bytes.length - 1)).toBe(
              new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(1, -1)),
            );
          }
        },
      ),
    );
  });

  it("replaces invalid UTF-8 by U+FFFD", () => {
    expect(new TextTable().text(arrayOf(Uint8Array.of(0x61, 0xff, 0x62)), 0, 3)).toBe("a\ufffdb");
  });

  it("returns equal texts of two arrays with the same hash apart", () => {
    // 31 * "a" + "B" = 31 * "b" + "#".
    const table = new TextTable();
    const bytes = arrayOf(new TextEncoder().encode("aBb#"));
    expect([table.text(bytes, 0, 2), table.text(bytes, 2, 4), table.text(bytes, 0, 2)]).toEqual(["aB", "b#", "aB"]);
  });
});

describe.each(arrays)("base64Text on %s", (_, arrayOf) => {
  it("encodes as Node does", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(base64Text(arrayOf(bytes), 0, bytes.length)).toBe(Buffer.from(bytes).toString("base64"));
      }),
    );
  });
});
