import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentWithProse, readProse } from "./own-prose.ts";
import type { OpenApiSchema } from "./openapi.ts";

const folder = join(import.meta.dirname, "..", "..", "packages", "api");

describe("documentWithProse", () => {
  const prose = new Map([["io.example.v1.Part", { "": "A part.", size: "How large it is." }]]);
  const part = { properties: { size: { default: 1, type: "integer" }, other: { type: "string" } }, type: "object" };
  const described = {
    description: "A part.",
    properties: { size: { default: 1, description: "How large it is.", type: "integer" }, other: { type: "string" } },
    type: "object",
  };

  it("adds descriptions to types and their fields, in order", () => {
    const v3 = { components: { schemas: { "io.example.v1.Part": part, "io.example.v1.Other": part } } };
    expect(documentWithProse(JSON.stringify(v3), prose, { escapeHtml: true })).toBe(
      JSON.stringify({ components: { schemas: { "io.example.v1.Part": described, "io.example.v1.Other": part } } }),
    );
    const v2 = { definitions: { "io.example.v1.Part": part } };
    expect(documentWithProse(`${JSON.stringify(v2)}\n`, prose, { escapeHtml: false })).toBe(
      `${JSON.stringify({ definitions: { "io.example.v1.Part": described } })}\n`,
    );
  });

  it("returns a document without types as it is", () => {
    expect(documentWithProse('{"paths":{}}', prose, { escapeHtml: true })).toBe('{"paths":{}}');
  });
});

describe("our descriptions", () => {
  it("exist for every type and every field, and for nothing else", async () => {
    const prose = await readProse(join(folder, "descriptions"));
    const missing: string[] = [];
    for (const file of await readdir(join(folder, "openapi"))) {
      if (file === "discovery.json") continue;
      const types = JSON.parse(await readFile(join(folder, "openapi", file), "utf8")) as Readonly<Record<string, OpenApiSchema>>;
      for (const [name, { properties = {} }] of Object.entries(types)) {
        const texts = prose.get(`${file.slice(0, -".json".length)}.${name}`) ?? {};
        const [wanted, found] = [["", ...Object.keys(properties)], Object.keys(texts)];
        if (wanted.join() !== found.join()) missing.push(`${file} ${name}: has ${found.join(", ")}; wanted are ${wanted.join(", ")}`);
      }
    }
    expect(missing).toEqual([]);
  });

  it("are short sentences in one line", async () => {
    for (const [name, texts] of await readProse(join(folder, "descriptions")))
      for (const [field, text] of Object.entries(texts)) {
        expect(text, `${name} ${field}`).toMatch(/^[^\n]{8,300}$/);
        expect(text.endsWith("."), `${name} ${field}: ${text}`).toBe(true);
      }
  });
});
