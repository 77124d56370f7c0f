import { describe, expect, it } from "vitest";
import { output } from "./output.ts";

class Stream {
  writableLength = 0;
  isFull = false;
  readonly texts: string[] = [];
  readonly listeners: ((error: unknown) => void)[] = [];

  write(text: string): void {
    if (this.isFull) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    this.texts.push(text);
  }

  on(_: "error", listener: (error: unknown) => void): void {
    this.listeners.push(listener);
  }

  fail(code: string): void {
    for (const listener of this.listeners) listener(Object.assign(new Error(code), { code }));
  }
}

describe("output", () => {
  it("reports that the reader is gone, and no other failure (SEC5)", () => {
    const stream = new Stream();
    const { gone } = output(stream);
    stream.fail("ENOSPC");
    expect(gone.aborted).toBe(false);
    stream.fail("EPIPE");
    expect(gone.aborted).toBe(true);
  });

  it("drops what a slow reader or a full disk does not take, and says how much (SEC5)", () => {
    const stream = new Stream();
    const { write } = output(stream, 100);
    stream.writableLength = 99;
    write("one\n");
    stream.writableLength = 0;
    stream.isFull = true;
    write("two\n");
    stream.isFull = false;
    write("three\n");
    expect(stream.texts.join("")).toMatch(/^… 2 lines dropped, because they were not read …\nthree\n$/);
  });
});
