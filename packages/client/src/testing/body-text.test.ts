import { expect, it } from "vitest";
import { bodyText } from "./body-text.ts";

it("bodyText reads text, bytes, and chunks with any boundaries", async () => {
  const bytes = new TextEncoder().encode("Grüße");
  const pieces = (async function* () {
    for (const byte of bytes) yield Uint8Array.of(byte);
    yield "!";
  })();
  expect(await Promise.all(["Grüße", bytes, pieces].map(bodyText))).toEqual(["Grüße", "Grüße", "Grüße!"]);
  await expect(bodyText(Uint8Array.of(0xff))).rejects.toThrow(TypeError);
});
