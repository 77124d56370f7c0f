import type { HttpHeaders } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { eachWarningOnce, warnings } from "./warnings.ts";

async function told(headers: HttpHeaders): Promise<string[]> {
  const texts: string[] = [];
  await warnings(({ text }) => void texts.push(text))(() => Promise.resolve({ status: 200, headers, body: "" }))({
    method: "GET",
    path: "/",
    headers: {},
  });
  return texts;
}

describe("warnings", () => {
  it("passes on every text of code 299, from one header or several", async () => {
    expect(await told({ warning: '299 - "one", 299 - "two \\"quoted\\""' })).toEqual(["one", 'two "quoted"']);
    expect(await told({ warning: ['299 - "one"', '199 - "other"', '299 - ""', '299 - "three" "Wed, 21 Oct 2026 07:28:00 GMT"'] })).toEqual([
      "one",
      "three",
    ]);
    expect(await told({})).toEqual([]);
    expect(await told({ warning: "nonsense" })).toEqual([]);
  });
  it("returns the response although a handler throws", async () => {
    const send = warnings(() => {
      throw new Error("boom");
    })(() => Promise.resolve({ status: 200, headers: { warning: '299 - "x"' }, body: "ok" }));
    expect(await send({ method: "GET", path: "/", headers: {} })).toMatchObject({ body: "ok" });
  });
  it("eachWarningOnce reports each text once, while it is remembered", () => {
    const texts: string[] = [];
    const handler = eachWarningOnce(({ text }) => void texts.push(text), { rememberedMax: 2 });
    for (const text of ["a", "b", "a", "b", "c", "c", "a"]) handler({ code: 299, agent: "-", text });
    expect(texts).toEqual(["a", "b", "c", "a"]);
  });
});
