import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { docComment } from "./doc-comment.ts";

describe("docComment", () => {
  it("is one line for one line, and a block for more", () => {
    expect(docComment("How many.", "  ")).toBe("  /** How many. */\n");
    expect(docComment("\nFirst.\r\n\r\nSecond.\n\n", "")).toBe("/**\n * First.\n *\n * Second.\n */\n");
  });

  it("is empty for no text", () => {
    expect(["", " \n\t", "\u0000"].map((text) => docComment(text, "  "))).toEqual(["", "", ""]);
  });

  it("wraps long lines at spaces", () => {
    const lines = docComment("word ".repeat(100), "  ").split("\n");
    expect(lines.length).toBeGreaterThan(4);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(140);
  });

  it("ends with a deprecation", () => {
    expect(docComment("", "", { deprecated: "use\nv1 */ x" })).toBe("/** @deprecated use v1 *\\/ x */\n");
    expect(docComment("A thing.", "", { deprecated: "use v1" })).toBe("/**\n * A thing.\n * @deprecated use v1\n */\n");
  });

  it("contains no directive for compiler or editor", () => {
    expect(docComment("@ts-expect-error", "")).toBe("/** \\@ts-expect-error */\n");
    expect(docComment("a\n**/@ts-ignore\nmail me@example.com", "")).toBe("/**\n * a\n * **\\/\\@ts-ignore\n * mail me@example.com\n */\n");
  });

  it("cannot be escaped by any text", () => {
    const hostile = fc
      .array(
        fc.constantFrom(
          "*/",
          "*",
          "/",
          "\\",
          "@ts-ignore",
          "@",
          " ",
          "\n",
          "\r",
          "\u2028",
          "\u202e",
          "\u0000",
          "`${x}`",
          "process.exit()",
          "//",
          "/*",
          "ü",
          "\ud800",
        ),
        { maxLength: 60 },
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: "binary" })), hostile, (text, deprecated) => {
        for (const comment of [docComment(text, "  "), docComment(text, "  ", { deprecated })]) {
          if (comment === "") continue;
          expect(comment.indexOf("*/")).toBe(comment.length - "*/\n".length);
          expect(comment.startsWith("  /**")).toBe(true);
          expect(comment).not.toMatch(/^[\s*/]*@(?!deprecated )/m);
          expect(comment.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        }
      }),
    );
  });
});
