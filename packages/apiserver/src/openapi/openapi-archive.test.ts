import { describe, expect, it } from "vitest";
import { packArchive, readArchive } from "./openapi-archive.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("the OpenAPI archive", () => {
  it("returns every packed text byte for byte, with its hash", () => {
    const documents = [
      { name: "api/v1", hash: "AA", bytes: encode('{"é":"\n"}') },
      { name: "empty", hash: "BB", bytes: encode("") },
      { name: "v2", hash: "CC", bytes: encode("{}") },
    ];
    expect([...readArchive(packArchive(documents)).values()]).toEqual(documents);
  });
});
