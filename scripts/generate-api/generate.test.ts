import { readFile, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { runInThisContext } from "node:vm";
import fc from "fast-check";
import ts from "typescript-ast";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "@drover/machinery";
import { describeInFiles, readDescription } from "./description-files.ts";
import { readProse } from "./own-prose.ts";
import { generate, generatedMark } from "./generate.ts";
import { sampleServer } from "./sample-server.ts";
import type { SampleParts } from "./sample-server.ts";
import { trimDescription } from "./trim-description.ts";

const folder = join(import.meta.dirname, "..", "..", "packages", "api");

const generateSample = (parts?: SampleParts): ReadonlyMap<string, string> =>
  generate(trimDescription(sampleServer(parts)), { name: "sample" });

describe("the committed files of packages/api", () => {
  it("are what the generator makes of the committed description, byte for byte, and nothing else is marked as generated", async () => {
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
    const files = generate(await readDescription(join(folder, "openapi")), manifest, await readProse(join(folder, "descriptions")));
    for (const [path, text] of files) expect(await readFile(join(folder, path), "utf8"), path).toBe(text);
    const entries = await readdir(join(folder, "src"), { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((candidate) => candidate.isFile())) {
      const file = join(entry.parentPath, entry.name);
      if ((await readFile(file, "utf8")).startsWith(generatedMark)) expect([...files.keys()]).toContain(relative(folder, file));
    }
  });

  it("come from a description that prints as it lies there", async () => {
    const copies = describeInFiles(await readDescription(join(folder, "openapi")));
    for (const [name, text] of copies) expect(await readFile(join(folder, "openapi", name), "utf8"), name).toBe(text);
    expect([...copies.keys()].toSorted()).toEqual((await readdir(join(folder, "openapi"))).toSorted());
  });
});

describe("generate", () => {
  it("prints one interface per definition, and beside it the descriptor of a resource", () => {
    const widgetSpec = {
      type: "object",
      required: ["count", "x-y"],
      properties: {
        count: { type: "integer", format: "int64" },
        "x-y": { type: "array", items: { enum: ["a", "b"], type: "string" } },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        empty: { type: "object" },
        part: { $ref: "#/components/schemas/com.example.api.core.v1.Part" },
        maybe: { type: "boolean", nullable: true },
        any: {},
        nested: { type: "object", properties: { at: { type: "string", format: "date-time" } } },
        port: { "x-kubernetes-int-or-string": true },
      },
    };
    expect(generateSample({ widgetSpec }).get("src/shop/v1.ts"))
      .toBe(`${generatedMark}import type { Int64, IntOrString, Kind, ObjectMeta, Time } from "@drover/machinery";
import type { Part } from "../core/v1.ts";

export interface Widget {
  apiVersion?: "shop.example.com/v1";
  kind?: "Widget";
  metadata: ObjectMeta;
  spec: WidgetSpec;
}
export const Widget: Kind<Widget, "Namespaced", "part" | "status"> = {
  group: "shop.example.com", version: "v1", kind: "Widget", listKind: "WidgetList",
  plural: "widgets", singular: "widget", shortNames: ["w"], categories: [],
  scope: "Namespaced", verbs: ["get", "list"],
  subresources: {
    part: { group: "", version: "v1", kind: "Part", verbs: ["create"] },
    status: { group: "shop.example.com", version: "v1", kind: "Widget", verbs: ["update"] },
  },
};

export interface WidgetSpec {
  any?: unknown;
  count: Int64;
  empty?: Record<string, never>;
  free?: Record<string, unknown>;
  maybe?: boolean | null;
  nested?: { at?: Time; };
  part?: Part;
  port?: IntOrString;
  "x-y": ("a" | "b")[];
}
`);
  });

  it("gives a type of another file a longer name where the file has one of the same name", () => {
    const { discovery, openapi } = sampleServer({
      widgetSpec: { type: "object", properties: { part: { $ref: "#/components/schemas/com.example.api.core.v1.Part" } } },
    });
    const own = {
      components: {
        schemas: { "com.example.api.shop.v1.Part": { type: "object", properties: {} }, "com.example.api.shop.v1.Kind": { type: "string" } },
      },
    };
    const text = generate(trimDescription({ discovery, openapi: [...openapi, own] }), {}).get("src/shop/v1.ts");
    expect(text).toContain(
      'import type { Kind as MachineryKind, ObjectMeta } from "@drover/machinery";\nimport type { Part as CoreV1Part } from "../core/v1.ts";',
    );
    expect(text).toContain("part?: CoreV1Part;");
    expect(text).toContain("export const Widget: MachineryKind<Widget,");
  });

  it("has a door for every group version", () => {
    const { exports } = JSON.parse(generateSample().get("package.json") ?? "") as { exports: Record<string, unknown> };
    expect(Object.keys(exports)).toEqual([
      ".",
      "./quota",
      "./schemas",
      "./shapes",
      "./testing",
      "./core/v1",
      "./shop/v1",
      "./package.json",
    ]);
  });

  it("refuses a resource that no document describes, naming it", () => {
    expect(() => generateSample({ widgets: { responseKind: { kind: "Gadget" } } })).toThrow(
      "discovery lists the kind shop.example.com/v1 Gadget",
    );
  });

  it.each([
    [{ widgetSpec: { $ref: "http://evil/#x" } }, "does not begin with"],
    [{ widgetSpec: { enum: [{}] } }, "which is not a scalar"],
    [{ widgets: { responseKind: { kind: 'Wid";get' } } }, "discovery lists the kind"],
  ])("refuses %j", (parts, message) => {
    expect(() => generateSample(parts)).toThrow(message);
  });
});

describe("a hostile document", () => {
  const evil = fc.oneof(
    fc.constantFrom(
      "__proto__",
      "constructor",
      '"; process.exit(1); //',
      "*/ process.exit(1) /*",
      "`${process.exit(1)}`",
      "\\",
      "\n",
      "\u2028",
      "</script>",
      ']: x, ["y',
      "'",
    ),
    fc.string({ unit: "binary", maxLength: 8 }),
  );
  const parts = fc.record({
    names: fc.uniqueArray(evil, { minLength: 1, maxLength: 3 }),
    words: fc.uniqueArray(evil, { minLength: 1, maxLength: 3 }),
    value: fc.oneof(evil, fc.jsonValue({ maxDepth: 2 })),
  });
  // A case prints and parses a whole package.
  const numRuns = 20 + Math.floor((fc.readConfigureGlobal().numRuns ?? 100) / 200);

  it("becomes data and never code", () => {
    fc.assert(
      fc.property(parts, ({ names, words, value }) => {
        const property = { type: "string", enum: words, default: value as JsonValue, description: words[0] ?? "" };
        const files = generateSample({
          widgetSpec: {
            type: "object",
            description: words[0] ?? "",
            required: names,
            properties: Object.fromEntries(names.map((name) => [name, property])),
          },
          widgets: { resource: words[0] ?? "", shortNames: names, categories: words, singularResource: words[0] ?? "" },
        });
        for (const [path, text] of files) if (path.endsWith(".ts")) expectOnlyDeclarations(text, path);
        const table = evaluateTable(files.get("src/schemas/shop/v1.ts") ?? "") as {
          definitions: { WidgetSpec: { required: unknown; properties: object } };
        };
        const { properties, required } = table.definitions.WidgetSpec;
        expect(required).toEqual(names);
        expect(Object.keys(properties).toSorted()).toEqual(names.toSorted());
        for (const node of Object.values(properties) as unknown[])
          expect(JSON.stringify(node)).toBe(JSON.stringify({ type: "string", default: value, enum: words }));
      }),
      { numRuns },
    );
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

/** Parses like the compiler and accepts imports, types and constants whose values are literals. */
function expectOnlyDeclarations(text: string, path: string): void {
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true, compilerOptions: { target: ts.ScriptTarget.ES2022 } });
  expect(
    diagnostics.map(({ messageText }) => messageText),
    path,
  ).toEqual([]);
  for (const statement of ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true).statements) {
    if (ts.isImportDeclaration(statement) || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) continue;
    if (!ts.isVariableStatement(statement)) throw new Error(`${path}: ${statement.getText()} is neither a type nor a constant`);
    for (const { initializer } of statement.declarationList.declarations) if (initializer !== undefined) expectLiteral(initializer);
  }
}

function expectLiteral(node: ts.Expression): void {
  if (ts.isObjectLiteralExpression(node)) {
    for (const property of node.properties) {
      if (!ts.isPropertyAssignment(property)) throw new Error(`${property.getText()} is no plain property`);
      if (ts.isComputedPropertyName(property.name)) expect(property.name.expression.getText()).toBe('"__proto__"');
      expectLiteral(property.initializer);
    }
  } else if (ts.isArrayLiteralExpression(node)) {
    for (const element of node.elements) expectLiteral(element);
  } else if (ts.isPrefixUnaryExpression(node)) {
    expectLiteral(node.operand);
  } else {
    const plain =
      ts.isLiteralExpression(node) ||
      ts.isIdentifier(node) ||
      ts.isPropertyAccessExpression(node) ||
      [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(node.kind);
    if (!plain) throw new Error(`${node.getText()} is no literal`);
  }
}

function evaluateTable(text: string): unknown {
  const start = text.indexOf("export const table: SchemaTable = ");
  return runInThisContext(`(${text.slice(start + "export const table: SchemaTable = ".length).replace(/;\n$/, "")})`);
}
