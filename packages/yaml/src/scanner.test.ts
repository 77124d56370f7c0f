import { describe, expect, it } from "vitest";
import { Scanner } from "./scanner.ts";

const kinds = (text: string): string => {
  const scanner = new Scanner(text);
  const seen: string[] = [];
  for (let token = scanner.take(); token.kind !== "stream end"; token = scanner.take())
    seen.push(token.kind === "scalar" ? token.text : token.kind);
  return seen.join(" ");
};

describe("Scanner", () => {
  it("inserts the key token before what turns out to be a key", () => {
    expect(kinds("a: b\nc:\n- d")).toBe("block mapping start key a value b key c value - d block end");
    expect(kinds("{a: [b], c}")).toBe("{ key a value [ b ] , c }");
    expect(kinds("&x a: *y ")).toBe("block mapping start key anchor a value alias block end");
  });

  it("counts columns and lines of all five line breaks", () => {
    const scanner = new Scanner("a\r\n\rb\u0085c\u2028 d: 1");
    expect(scanner.take()).toMatchObject({ kind: "scalar", text: "a\nb c\u2028d", line: 0 });
  });
});
