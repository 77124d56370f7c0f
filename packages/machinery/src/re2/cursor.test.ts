import { describe, expect, it } from "vitest";

import { Cursor } from "./cursor.ts";

describe("Cursor", () => {
  it("moves by code points and stays at the end", () => {
    const cursor = new Cursor("a😀");
    expect([cursor.next(), cursor.next(), cursor.done, cursor.next(), cursor.at]).toEqual([0x61, 0x1f600, true, 0xfffd, 3]);
  });

  it("takes what it sees, and nothing else", () => {
    const cursor = new Cursor("(?i)");
    expect([cursor.take("(:"), cursor.take("(?"), cursor.sees("i"), cursor.since(0), cursor.from(1)]).toEqual([
      false,
      true,
      true,
      "(?",
      "?i)",
    ]);
  });

  it("finds what follows, and remembers what does not", () => {
    const cursor = new Cursor("a:]b");
    expect([cursor.find(":]", 0), cursor.find(":]", 2), cursor.find(":]", 0)]).toEqual([1, -1, -1]);
  });
});
