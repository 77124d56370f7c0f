import { describe, expect, it } from "vitest";
import { base64FromBytes, isBase64, textFromBase64 } from "./base64.ts";

describe("inline data", () => {
  it("is base64 with padding, line breaks allowed, and nothing else", () => {
    expect(["", "YQ==", "YWI=", "YW\nJj", "YWJj\r\n"].map(isBase64)).toEqual([true, true, true, true, true]);
    expect(["YQ", "Y===", "Y Q==", "YQ==YQ==", "Y-_="].map(isBase64)).toEqual([false, false, false, false, false]);
  });

  it("comes back as the text it was", () => {
    const text = "-----BEGIN é\n\u0000-----";
    expect(textFromBase64(`${base64FromBytes(new TextEncoder().encode(text)).slice(0, 8)}\n${base64FromBytes(new TextEncoder().encode(text)).slice(8)}`)).toBe(text);
    expect(base64FromBytes(new Uint8Array(200_000)).length).toBe(Math.ceil(200_000 / 3) * 4);
  });
});
