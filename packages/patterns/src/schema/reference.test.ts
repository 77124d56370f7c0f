import { ConfigMap, Secret } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { namesAt, reference, referencesIn } from "./reference.ts";
import { schemaFromZod } from "./schema-from-zod.ts";

const spec = z.object({
  tls: reference(Secret, z.string().min(1)).optional(),
  mounts: z.array(z.object({ from: reference(ConfigMap, z.string()) })).default([]),
  byZone: z.record(z.string(), reference(Secret, z.string())).optional(),
  either: z.union([reference(Secret, z.string()), z.int()]).optional(),
  "odd.name": reference(Secret, z.string()).nullable().optional(),
});

describe("reference", () => {
  it("is found at any depth of a schema", () => {
    expect(referencesIn(spec, [{ field: "spec" }]).map(({ kind, path }) => [kind.kind, path.slice(1)])).toEqual([
      ["Secret", [{ field: "tls" }]],
      ["ConfigMap", [{ field: "mounts" }, "items", { field: "from" }]],
      ["Secret", [{ field: "byZone" }, "values"]],
      ["Secret", [{ field: "either" }]],
      ["Secret", [{ field: "odd.name" }]],
    ]);
  });

  it("does not appear in the schema for the server", () => {
    expect(schemaFromZod(z.object({ tls: reference(Secret, z.string().min(1)) }), "spec")).toEqual(
      schemaFromZod(z.object({ tls: z.string().min(1) }), "spec"),
    );
  });

  it("keeps existing metadata of the schema", () => {
    const described = schemaFromZod(reference(Secret, z.string().describe("the certificate")), "spec");
    expect(described.schema).toMatchObject({ type: "string", description: "the certificate" });
  });

  it("throws and names the alternative for a schema without meta()", () => {
    expect(() => reference(Secret, { _zod: {} } as never)).toThrow('use z.string() of "zod"');
  });
});

describe("namesAt", () => {
  it("returns each name once and ignores missing values and non-strings", () => {
    const object = { spec: { mounts: [{ from: "a" }, { from: "b" }, { from: "a" }, {}, 3, null], byZone: { x: "c", ["__proto__"]: "d" } } };
    const at = (index: number): readonly string[] => namesAt(object, referencesIn(spec, [{ field: "spec" }])[index]?.path ?? []);
    expect(at(0)).toEqual([]);
    expect(at(1)).toEqual(["a", "b"]);
    expect(at(2)).toEqual(["c", "d"]);
    expect(namesAt({ spec: { tls: "" } }, [{ field: "spec" }, { field: "tls" }])).toEqual([]);
    expect(namesAt("text", [{ field: "length" }])).toEqual([]);
  });
});
