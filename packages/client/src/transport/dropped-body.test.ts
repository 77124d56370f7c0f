import type { HttpBody } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { dropBody } from "./dropped-body.ts";

/** Reports how a body of so many ten-byte chunks ended. */
async function ending(
  chunks: number,
  { length, fails = false }: { readonly length?: number; readonly fails?: boolean } = {},
): Promise<string> {
  let state = "untouched";
  const body: HttpBody = (async function* () {
    state = "dropped";
    for (let chunk = 0; chunk < chunks; chunk++) {
      if (fails) throw new Error("reset");
      yield "0123456789";
    }
    state = "read";
  })();
  await dropBody({ status: 503, headers: length === undefined ? {} : { "content-length": String(length) }, body }, 25);
  return state;
}

describe("dropBody", () => {
  it("reads a short body to its end, and drops a long one", async () => {
    expect([await ending(2), await ending(1000)]).toEqual(["read", "dropped"]);
  });

  it("does not read a body with a too large content-length", async () => {
    expect(await ending(1000, { length: 10_000 })).toBe("untouched");
  });

  it("ignores a body that fails and one that is complete", async () => {
    expect(await ending(2, { fails: true })).toBe("dropped");
    await dropBody({ status: 503, headers: {}, body: "whole" }, 25);
  });
});
