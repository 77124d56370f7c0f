import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { outputLines } from "./output-lines.ts";

async function linesOf(...chunks: readonly (string | Buffer)[]): Promise<readonly string[]> {
  const stream = new PassThrough();
  const found: string[] = [];
  const done = outputLines(stream, (line) => found.push(line));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await done;
  return found;
}

it("outputLines splits at every kind of line break, also between chunks", async () => {
  expect(await linesOf("a\nb\r", "\nc\rd", "\n\n", "e\r")).toEqual(["a", "b", "c", "d", "", "e"]);
  expect(await linesOf("a", "b")).toEqual(["ab"]);
  const smile = Buffer.from("😀\n");
  expect(await linesOf(smile.subarray(0, 2), smile.subarray(2))).toEqual(["😀"]);
  expect(await linesOf()).toEqual([]);
});

it("outputLines cuts a line without end, and goes on with the next", async () => {
  const found = await linesOf(...Array.from({ length: 20 }, () => "x".repeat(10_000)), "\nnext\n");
  expect(found.map((line) => line.length)).toEqual([65_536 + 44, 4]);
  expect(found[0]).toMatch(/x… \(the line is longer than 65536 characters\)$/);
});
