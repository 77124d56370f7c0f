/**
 * The code that `drover kinds` writes. testing/kinds has it as committed files, which the type check compiles. Types
 * from zod survive the way through a CustomResourceDefinition, and a malicious definition becomes data, never code.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonValue, ObjectOf } from "@drover/machinery";
import { generateKinds } from "../index.ts";
import { parseYamlDocuments } from "@drover/yaml";
import fc from "fast-check";
import ts from "typescript-ast";
import { describe, expect, it } from "vitest";
import type { Choice as GeneratedChoice, Everything as GeneratedEverything } from "./testing/kinds/zod.example.com/v1.ts";
import { Choice, Everything } from "./testing/kinds/zod-resources.ts";

const folder = join(import.meta.dirname, "testing", "kinds");
const sample = (): readonly JsonValue[] => parseYamlDocuments(readFileSync(join(folder, "sample.yaml"), "utf8"));

describe("generated kinds", () => {
  it("are the committed files: drover kinds testing/kinds/sample.yaml --out testing/kinds", () => {
    for (const [path, text] of generateKinds(sample())) expect(readFileSync(join(folder, path), "utf8"), path).toBe(text);
  });

  it("of zod resources are the committed file", () => {
    const files = generateKinds([Everything.definition(), Choice.definition()], { defaults: "present" });
    expect(readFileSync(join(folder, "zod.example.com/v1.ts"), "utf8")).toBe(files.get("zod.example.com/v1.ts"));
  });

  it("have the types that zod infers, where both can express them", () => {
    type ZodEverything = ObjectOf<typeof Everything>;
    type ZodChoice = ObjectOf<typeof Choice>;
    const spec: Mutual<Exact<ZodEverything["spec"]>, GeneratedEverything["spec"]> = true;
    const status: Mutual<Exact<NonNullable<ZodEverything["status"]>>, NonNullable<GeneratedEverything["status"]>> = true;
    const narrower: Assignable<Exact<ZodChoice["spec"]>, GeneratedChoice["spec"]> = true;
    const whole: Assignable<GeneratedEverything, ZodEverything> = true;
    expect([spec, status, narrower, whole]).toEqual([true, true, true, true]);
  });
});

type Assignable<From, To> = [From] extends [To] ? true : false;
type Mutual<A, B> = [Assignable<A, B>, Assignable<B, A>] extends [true, true] ? true : false;

/** Zod's optional fields may be present and undefined, which JSON cannot express. */
type Exact<T> = T extends readonly (infer Item)[]
  ? Exact<Item>[]
  : T extends object
    ? { [Key in keyof T]: Exact<Exclude<T[Key], undefined>> }
    : T;

const evilTexts: readonly string[] = [
  "__proto__",
  "constructor",
  '"; process.exit(1); //',
  "*/ process.exit(1) /*",
  "`${process.exit(1)}`",
  "\\",
  '\\"',
  "\nprocess.exit(1)",
  "\u2028process.exit(1)",
  "</script>",
  ']: x, ["y',
  "'",
  " | ",
  "class",
  "x-y",
  "1",
  "",
  "@ts-ignore",
  "@ts-expect-error",
  "@ts-nocheck",
  "# sourceMappingURL=x",
  "Record",
  "Kind",
  "a\u0000b",
  "\u202e",
];

function evilCrd(names: readonly string[], words: readonly string[], kind = "Widget"): object {
  const description = words.join("\n");
  const leaf = { type: "string", description, enum: words };
  const properties = Object.fromEntries(
    names.map((name, index) => [
      name,
      index % 2 === 0
        ? { type: "object", description, required: names, properties: { [name]: leaf } }
        : { type: "array", items: { type: "object", additionalProperties: leaf } },
    ]),
  );
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: words[0] || "x" },
    spec: {
      group: "evil.example.com",
      scope: "Namespaced",
      names: {
        kind,
        plural: kind.toLowerCase(),
        singular: words[0] || "x",
        listKind: words[0] || "x",
        shortNames: words,
        categories: words,
      },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          deprecated: true,
          deprecationWarning: description || "x",
          schema: {
            openAPIV3Schema: {
              type: "object",
              description,
              properties: { spec: { type: "object", description, properties }, ...properties },
            },
          },
        },
      ],
    },
  };
}

describe("a malicious definition", () => {
  const evil = fc.oneof(fc.constantFrom(...evilTexts), fc.string({ unit: "binary", maxLength: 8 }));
  const words = fc.uniqueArray(evil, { minLength: 1, maxLength: 4 });

  it("becomes declarations, and its texts become literals (§9.35)", () => {
    fc.assert(
      fc.property(words, words, (names, texts) => {
        for (const [path, text] of generateKinds([evilCrd(names, texts)])) expectOnlyDeclarations(text, path);
      }),
      { numRuns: 20 + Math.floor((fc.readConfigureGlobal().numRuns ?? 100) / 100) },
    );
  });

  it("becomes types that compile, each field under its own name", () => {
    const crds = ["Record", "Kind", "class", "ObjectMeta", "KubeList", "Widget"].map((kind, index) =>
      evilCrd(evilTexts.slice(index), evilTexts, kind),
    );
    const [text = ""] = generateKinds(crds, { from: "./words.ts" }).values();
    expect(problemsOf(text)).toEqual([]);
    const tree = ts.createSourceFile("v1.ts", text, ts.ScriptTarget.ES2022, true);
    const spec = tree.statements.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === "RecordSpec");
    expect(
      spec?.members
        .map(({ name }) =>
          name !== undefined && ts.isComputedPropertyName(name)
            ? (name.expression as ts.StringLiteral).text
            : (name as ts.Identifier | undefined)?.text,
        )
        .toSorted(),
    ).toEqual(evilTexts.toSorted());
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
    if (ts.isImportDeclaration(statement) || ts.isInterfaceDeclaration(statement)) continue;
    if (!ts.isVariableStatement(statement)) throw new Error(`${path}: ${statement.getText()} is neither a type nor a constant`);
    for (const { initializer } of statement.declarationList.declarations) if (initializer !== undefined) expectLiteral(initializer);
  }
}

function expectLiteral(node: ts.Expression): void {
  if (ts.isArrayLiteralExpression(node)) for (const element of node.elements) expectLiteral(element);
  else if (ts.isObjectLiteralExpression(node))
    for (const property of node.properties) expectLiteral((property as ts.PropertyAssignment).initializer);
  else if (!ts.isStringLiteral(node)) throw new Error(`${node.getText()} is no literal`);
}

/** The compiler's messages about a file, with all strict options. */
function problemsOf(text: string): readonly string[] {
  const words =
    "export interface ObjectMeta { name?: string } export interface KubeList<T> { items: T[]; metadata?: ObjectMeta; apiVersion?: string; kind?: string } export interface Kind<T, S, Sub extends string> { group: string; version: string; kind: string; listKind: string; plural: string; singular: string; shortNames: readonly string[]; categories: readonly string[]; scope: S; verbs: readonly string[]; subresources: Readonly<Record<Sub, object>>; object?: T }";
  const files: ReadonlyMap<string, string> = new Map([
    ["/kinds/v1.ts", text],
    ["/kinds/words.ts", words],
  ]);
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    isolatedModules: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
    lib: ["lib.es2022.d.ts"],
  };
  const libraries = dirname(ts.getDefaultLibFilePath(options));
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    fileExists: (path) => files.has(path) || ts.sys.fileExists(path),
    readFile: (path) => files.get(path) ?? ts.sys.readFile(path),
    directoryExists: (path) => path === "/kinds" || ts.sys.directoryExists(path),
    getDefaultLibLocation: () => libraries,
    getSourceFile: (path, version) => {
      const content = files.get(path) ?? ts.sys.readFile(path);
      return content === undefined ? undefined : ts.createSourceFile(path, content, version);
    },
  };
  return ts
    .getPreEmitDiagnostics(ts.createProgram(["/kinds/v1.ts"], options, host))
    .map(
      ({ messageText, file, start = 0 }) => `${file?.text.slice(start, start + 40)}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );
}
