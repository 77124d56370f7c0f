import { describe, expect, it } from "vitest";
import { sourceFile, type Finding, type House, type Manifest } from "./house.ts";
import { entryPointNames, mayImport } from "./plan.ts";
import { rules } from "./rules.ts";
import { entryPoints } from "./rules/entry-points.ts";
import type { Ratchet } from "./rules/size.ts";

interface Seed {
  /** Path in the repository → text. */
  readonly files?: Readonly<Record<string, string>>;
  readonly manifests?: Readonly<Record<string, Partial<Manifest>>>;
  readonly ratchet?: Ratchet;
}

/** A repository of the given files; every package that has a file or a manifest gets a valid manifest to start from. */
function houseOf({ files = {}, manifests = {} }: Seed): House {
  const sources = Object.entries(files).map(([path, text]) => sourceFile(path, text));
  const folderOf = (path: string): string | undefined => /^packages\/([^/]+)\//.exec(path)?.[1];
  const folders = new Set([...Object.keys(manifests), ...sources.flatMap(({ path }) => folderOf(path) ?? [])]);
  return {
    packages: [...folders].map((folder) => ({
      folder,
      manifest: { name: `@drover/${folder}`, version: "0.1.0", type: "module", files: ["dist"], ...manifests[folder] },
      files: sources.filter(({ path }) => folderOf(path) === folder),
    })),
    yard: sources.filter(({ path }) => folderOf(path) === undefined),
  };
}

const tidy = (seed: Seed): Finding[] => rules(seed.ratchet ?? {}).flatMap((rule) => rule(houseOf(seed)));
const machinery = (text: string, name = "thing.ts"): Seed => ({ files: { [`packages/machinery/src/${name}`]: text } });

/** The one finding of a seed, as "rule: message". */
function theFinding(seed: Seed): string {
  const findings = tidy(seed);
  expect(findings).toHaveLength(1);
  return findings.map(({ rule, message }) => `${rule}: ${message}`).join();
}

describe("tidy", () => {
  describe("direction", () => {
    it("refuses a package that is not on the plan", () => {
      expect(theFinding({ manifests: { attic: {} } })).toContain('direction: package "attic" is not on the plan');
    });
    it("refuses a dependency against the plan", () => {
      expect(theFinding({ manifests: { apiserver: { dependencies: { "@drover/client": "0.1.0" } } } })).toBe(
        "direction: apiserver may not depend on client; it may depend on: machinery, api, yaml",
      );
    });
    it("refuses an import against the plan, types included", () => {
      expect(theFinding({ files: { "packages/controller-manager/src/x.ts": 'import type { S } from "@drover/apiserver";' } })).toContain(
        "controller-manager may not import apiserver",
      );
    });
    describe("between the packages with Go APIs", () => {
      const vocabularies = ["client-go", "lasso", "wrangler"];
      const importing = (folder: string, imported: string): Seed => ({
        files: { [`packages/${folder}/src/x.ts`]: `import type { A } from "@drover/${imported}";` },
        manifests: {
          [folder]: { name: folder === "drover" ? "drover" : `@drover/${folder}`, devDependencies: { [`@drover/${imported}`]: "0.1.0" } },
        },
      });
      const others = [...mayImport.keys()].filter((folder) => folder !== "drover" && !vocabularies.includes(folder));

      it.each(others.flatMap((folder) => vocabularies.map((name) => [folder, name] as const)))(
        "refuses %s that imports %s",
        (folder, name) => {
          expect(tidy(importing(folder, name)).map(({ message }) => message)).toEqual([
            expect.stringContaining(`${folder} may not depend on ${name}`),
            expect.stringContaining(`${folder} may not import ${name}`),
          ]);
        },
      );
      it.each([
        ["client-go", "lasso"],
        ["client-go", "wrangler"],
        ["client-go", "controller"],
        ["lasso", "wrangler"],
        ["lasso", "patterns"],
        ["wrangler", "apiserver"],
      ])("refuses %s that imports %s", (folder, name) => {
        expect(tidy(importing(folder, name))).toHaveLength(2);
      });
      it.each([
        ["client-go", "cache"],
        ["lasso", "client-go"],
        ["wrangler", "lasso"],
        ["wrangler", "patterns"],
        ["drover", "client-go"],
        ["drover", "lasso"],
        ["drover", "wrangler"],
      ])("lets %s import %s", (folder, name) => {
        expect(tidy(importing(folder, name))).toEqual([]);
      });
    });
    it("refuses an import that the manifest does not declare", () => {
      expect(theFinding(machinery('import yaml from "js-yaml";'))).toBe(
        'direction: "js-yaml" is not declared in packages/machinery/package.json',
      );
    });
    it("refuses a relative import that leaves the package", () => {
      expect(theFinding({ files: { "packages/api/src/x.ts": 'export { a } from "../../machinery/src/a.ts";' } })).toContain(
        "leaves the package",
      );
    });
    it("refuses node modules outside the listed files, dynamic imports included", () => {
      expect(theFinding(machinery('export const fs = (): Promise<unknown> => import("node:fs");'))).toContain(
        '"node:fs" is not allowed here',
      );
    });
    it("finds an import after other code, split over several lines", () => {
      expect(
        theFinding(
          machinery('export const one = 1;\nexport const fs = (): Promise<unknown> => import(\n  "node:fs"\n);\nexport const two = 2;'),
        ),
      ).toContain('"node:fs" is not allowed here');
    });
    it("refuses a package that imports itself by name", () => {
      expect(theFinding(machinery('import { a } from "@drover/machinery";'))).toContain("is this package itself");
    });
    it("lets a test import test tools and node modules", () => {
      expect(tidy(machinery('import { it } from "vitest"; import { readFileSync } from "node:fs";', "thing.test.ts"))).toEqual([]);
    });
    describe("in files for tests", () => {
      const files = ["!src/**/*.test.ts", "!src/**/*-scene.ts", "!src/**/*-rig.ts", "!src/**/testing/**"];
      const patterns = (sources: Readonly<Record<string, string>>, manifest: Partial<Manifest> = {}): Seed => ({
        files: Object.fromEntries(Object.entries(sources).map(([name, text]) => [`packages/patterns/src/${name}`, text])),
        manifests: { patterns: { files: ["dist", "src", ...files], ...manifest } },
      });
      const server = 'import { createApiServer } from "@drover/apiserver";';

      it.each(["operator.test.ts", "operator-scene.ts", "operator-rig.ts", "testing/web-app.ts", "operator/testing/web-app.ts"])(
        "lets %s import any package",
        (name) => {
          const imports = `${server} import { harness } from "drover/testing"; import ts from "typescript-ast";`;
          expect(tidy(patterns({ [name]: imports }))).toEqual([]);
        },
      );
      it("checks source files against the plan", () => {
        expect(theFinding(patterns({ "operator.ts": server }))).toContain("patterns may not import apiserver");
      });
      it("checks files that the entry point ./testing publishes against the plan", () => {
        const sources = { "testing.ts": 'export { a } from "./testing/a.ts";', "testing/a.ts": server, "testing/b.ts": server };
        const manifest = { exports: { ".": "", "./testing": "" } };
        expect(tidy(patterns(sources, manifest)).map(({ path, message }) => `${path}: ${message}`)).toEqual([
          expect.stringContaining("packages/patterns/src/testing/a.ts: patterns may not import apiserver"),
        ]);
      });
      it("refuses a relative import that leaves the package", () => {
        expect(theFinding(patterns({ "operator.test.ts": 'import { a } from "../../apiserver/src/a.ts";' }))).toContain(
          "leaves the package",
        );
      });
      it.each(["./operator-scene.ts", "./testing/web-app.ts"])("refuses source that imports %s", (specifier) => {
        const sources = { "operator.ts": `import { a } from "${specifier}";`, "operator-scene.ts": "", "testing/web-app.ts": "" };
        expect(theFinding(patterns(sources))).toBe(`direction: "${specifier}" is for tests only; source must not import it`);
      });
      it("refuses a manifest that would publish files for tests", () => {
        const packed = { files: ["dist", "src", "!src/**/*.test.ts"] };
        expect(theFinding(patterns({ "operator-scene.ts": server }, packed))).toContain("npm would pack it");
        expect(tidy(patterns({ "operator-scene.ts": server }, { files: ["dist"] }))).toEqual([]);
      });
    });
    it("refuses a package under a wrong name", () => {
      expect(theFinding({ manifests: { machinery: { name: "machinery" } } })).toContain('the name must be "@drover/machinery"');
    });
  });

  it("reports every file of an import cycle, types included", () => {
    const files = {
      "packages/machinery/src/a.ts": 'import type { B } from "./b.ts";',
      "packages/machinery/src/b.ts": 'import { a } from "./a.ts";',
    };
    expect(theFinding({ files })).toContain("packages/machinery/src/a.ts → packages/machinery/src/b.ts → packages/machinery/src/a.ts");
  });

  describe("folders", () => {
    const above = { "packages/machinery/src/above/a.ts": 'import { b } from "../below/b.ts";' };
    it("refuses folders of a package that import each other", () => {
      expect(
        theFinding({
          files: {
            ...above,
            "packages/machinery/src/above/c.ts": 'import { b } from "../below/b.ts";',
            "packages/machinery/src/below/b.ts": "export const b = 1;",
            "packages/machinery/src/below/d.ts": 'import { e } from "../above/e.ts";',
            "packages/machinery/src/above/e.ts": "export const e = 1;",
          },
        }),
      ).toBe("folders: below imports above, which reaches below again; move the shared code below both, or pass it in");
    });
    it("allows imports in one direction, and any import in tests", () => {
      expect(
        tidy({
          files: {
            ...above,
            "packages/machinery/src/below/b.ts": "export const b = 1;",
            "packages/machinery/src/below/b.test.ts": 'import { a } from "../above/a.ts";',
          },
        }),
      ).toEqual([]);
    });
  });

  describe("doors", () => {
    it("refuses an inner index.ts", () => {
      expect(theFinding(machinery("", "wire/index.ts"))).toContain("doors: index.ts belongs only at a package's root");
    });
    it.each(['export * from "./a.ts";', 'export * as a from "./a.ts";'])("refuses %s", (text) => {
      expect(theFinding(machinery(text, "index.ts"))).toContain("doors: export * hides which names are public");
    });
    it("refuses an extra entry point", () => {
      expect(theFinding({ manifests: { cache: { exports: { ".": "", "./testing": "", "./store": "" } } } })).toContain(
        'doors: "./store" is an extra entry point',
      );
    });
    it("allows the entry point ./kinds only for the facade", () => {
      const exports = { ".": "", "./kinds": "" };
      expect(tidy({ manifests: { drover: { name: "drover", exports } } })).toEqual([]);
      expect(theFinding({ manifests: { cache: { exports } } })).toContain('doors: "./kinds" is an extra entry point');
    });
    it("lets api have one entry point per group version", () => {
      expect(tidy({ manifests: { api: { exports: { ".": "", "./apps/v1": "", "./schemas": "" } } } })).toEqual([]);
    });
  });

  describe("entry points", () => {
    const entry = (text: string): Seed => ({
      files: { "packages/yaml/src/index.ts": text },
      manifests: { yaml: { exports: { ".": { "drover-source": "./src/index.ts" } } } },
    });
    const names = (count: number): string => Array.from({ length: count }, (_, index) => `name${index}`).join(", ");
    const found = (text: string, limits: Readonly<Record<string, number>>): readonly string[] =>
      entryPoints(limits)(houseOf(entry(text))).map(({ message }) => message);

    it("refuses an entry point that exports more names than the plan allows", () => {
      expect(theFinding(entry(`export { ${names(entryPointNames["@drover/yaml"] ?? 0)}, more } from "./a.ts";`))).toContain(
        "entry-points: @drover/yaml exports 9 names, 8 are allowed",
      );
    });
    it("counts names, types and declarations once each", () => {
      const text =
        'export { a, b as c } from "./a.ts";\nexport type { D } from "./d.ts";\nexport { a } from "./a.ts";\nexport const e = 1;';
      expect(found(text, { "@drover/yaml": 4 })).toEqual([]);
      expect(found(text, { "@drover/yaml": 3 })).toEqual([expect.stringContaining("exports 4 names, 3 are allowed")]);
    });
    it("requires a lower limit when an entry point shrinks by more than 10 %", () => {
      expect(found(`export { ${names(90)} } from "./a.ts";`, { "@drover/yaml": 100 })).toEqual([]);
      expect(found(`export { ${names(89)} } from "./a.ts";`, { "@drover/yaml": 100 })).toEqual([
        expect.stringContaining("exports 89 names; lower its limit of 100"),
      ]);
    });
    it("requires a limit for every entry point", () => {
      expect(found("export const a = 1;", {})).toEqual([expect.stringContaining("exports 1 names and has no limit")]);
    });
  });

  describe("globals", () => {
    it.each([
      ["export const t = (): number => Date.now();", "Date is not allowed here; take runtime.clock.now()"],
      ["export const t = (): unknown => new Date();", "take runtime.clock.now()"],
      ["export const t = (): unknown => setTimeout(() => 1, 5);", "take runtime.clock.timer()"],
      ["export const t = (): unknown => globalThis.setTimeout(() => 1, 5);", "take runtime.clock.timer()"],
      ["export const r = (): number => Math.random();", "take runtime.random"],
      ["export const id = (): string => crypto.randomUUID();", "take runtime.uid()"],
      ["export const e = (): unknown => process.env;", "let drover or cli read it"],
      ['export const f = (): unknown => fetch("/");', "take a Transport"],
      ['export const l = (): void => console.log("x");', "take runtime.log"],
      ['export const x = (): unknown => eval("1");', "data is never run as code"],
    ])("refuses %s and names the replacement (X28, S14)", (text, message) => {
      expect(theFinding(machinery(text))).toContain(message);
    });
    it("accepts a property, a parameter or a type with the name of a global", () => {
      expect(
        tidy(machinery("export const f = (process: { fetch: () => Date }): unknown => process.fetch();\ninterface Q { Date: string }")),
      ).toEqual([]);
    });
    it("lets the listed files use the real globals", () => {
      expect(tidy({ files: { "packages/client/src/transport/node-transport.ts": "export const t = (): number => Date.now();" } })).toEqual(
        [],
      );
    });
    it("refuses real timers in a test", () => {
      expect(theFinding(machinery("setTimeout(() => 1, 5);", "thing.test.ts"))).toContain("globals: setTimeout");
    });
  });

  it.each([
    ["await", "export const f = async (): Promise<void> => { await g(); };", 3],
    ["Promise", "export type F = () => Promise<void>;", 1],
  ])("refuses %s in a state file", (word, text, count) => {
    const findings = tidy(machinery(text, "queue-state.ts"));
    expect(findings).toHaveLength(count);
    expect(findings.map(({ message }) => message).join()).toContain(`${word} in a state file`);
  });

  describe("module state", () => {
    it.each([
      "let count = 0;",
      "export const seen = new Map<string, number>();",
      "const list = [1];",
      "const table: Record<string, number> = { a: 1 };",
      "const found: string[] = [];",
      "const cache: Map<string, number> = new Map();",
      "class A { static count = 0; }",
    ])("refuses %s", (text) => {
      expect(theFinding(machinery(text))).toContain("module-state:");
    });
    it.each([
      "const seen: ReadonlyMap<string, number> = new Map();",
      "const list: readonly number[] = [1];",
      "const list = [1] as const;",
      "const table: Readonly<Record<string, number>> = { a: 1 };",
      "const Pod: Kind<Pod> = {};",
      "class A { static readonly zero = 0; }",
    ])("accepts %s", (text) => {
      expect(tidy(machinery(text))).toEqual([]);
    });
  });

  describe("names", () => {
    it.each(["utils.ts", "helpers.ts", "common/x.ts", "types.ts", "misc.test.ts"])("refuses %s", (name) => {
      expect(theFinding(machinery("", name))).toContain("names:");
    });
    it("refuses a name that is not kebab-case", () => {
      expect(theFinding(machinery("", "deltaQueue.ts"))).toContain("kebab-case");
    });
  });

  describe("line width", () => {
    const words = (count: number): string => "x".repeat(count);

    it("refuses a line over 140 characters, counted as characters", () => {
      expect(theFinding(machinery(`export const y = ${Array.from({ length: 43 }, () => "1").join(" + ")};`))).toBe(
        "line-width: 187 characters, 140 are allowed; wrap the comment or break the expression",
      );
      expect(tidy(machinery(`// ${"→".repeat(137)}`))).toEqual([]);
    });
    it.each([`// ${words(138)}`, `/** ${words(140)} */`, `/**\n *     ${words(136)}\n */`, `export const y = "z"; // ${words(120)}`])(
      "refuses the wide comment %s",
      (text) => {
        expect(theFinding(machinery(text))).toContain("line-width:");
      },
    );
    it.each([
      `export const y = "${words(130)}";`,
      `export const y = \`${words(70)}\${1}${words(70)}\`;`,
      `export const y = \`\n${words(150)}\n\`;`,
      `export const y = /${words(130)}/;`,
      `import { a } from "./${words(130)}.ts";`,
    ])("accepts the wide literal in %s", (text) => {
      expect(tidy(machinery(text, "thing.test.ts"))).toEqual([]);
    });
    it("skips generated files", () => {
      expect(tidy({ files: { "packages/api/src/apps/v1.ts": `// ${words(200)}` } })).toEqual([]);
    });
  });

  describe("header names", () => {
    const diagram = (line: string, code: string): string => `/**\n * A header.\n *\n *     ${line}\n */\n${code}`;

    it.each(["Event → judgeEvent", "line → Reader.judgeEvent", "line → judgeEvent(…)"])(
      "refuses a diagram with a name that does not exist: %s",
      (line) => {
        expect(theFinding(machinery(diagram(line, "interface Event {}\ninterface Reader {}\nfunction judgeVersion(): void {}")))).toBe(
          'header-names: the diagram names "judgeEvent", which is not in the code; use its current name or plain words',
        );
      },
    );
    it("refuses a lowercase name only where it is written as code", () => {
      expect(theFinding(machinery(diagram("line → tape.begin → end", "const tape = 1;")))).toContain('the diagram names "begin"');
      expect(tidy(machinery(diagram("a line → the tape → the end", "")))).toEqual([]);
    });
    it("is case-sensitive and ignores names in comments", () => {
      expect(theFinding(machinery(diagram("line → SharedProcessor", "const sharedProcessor = 1; // SharedProcessor")))).toContain(
        '"SharedProcessor"',
      );
    });
    it("accepts names of the package, of those it imports and of packages, plurals, quotes, file names and plain words", () => {
      const files = {
        "packages/api/src/kinds.ts": "export interface Node {}",
        "packages/client/src/read.ts": diagram(
          `Nodes, "Anything" → readNode(…) → plan.ts, apiserver/verbs, machinery, the JSON of a list`,
          'import type { Node } from "@drover/api";\nexport const readNode = 1;',
        ),
      };
      const client = { dependencies: { "@drover/api": "0.1.0" } };
      expect(tidy({ files, manifests: { client } })).toEqual([]);
    });
    it("reads only indented lines with an arrow in the header", () => {
      expect(tidy(machinery("/**\n * Hands on to judgeEvent → done.\n *     judgeEvent\n */\n/**\n *     a → judgeEvent\n */"))).toEqual(
        [],
      );
    });
    it("also checks scripts, benchmarks and conformance tests", () => {
      expect(theFinding({ files: { "bench/wire.ts": diagram("pods → encodePods", "") } })).toContain('"encodePods"');
    });
  });

  describe("thrown values", () => {
    const caught = (use: string, folder = "cache"): Seed => ({
      files: {
        [`packages/${folder}/src/thing.ts`]: `export const f = (): unknown => {\n  try { return 1; } catch (error) { return ${use}; }\n};`,
      },
    });
    it.each([
      ["error instanceof Error", "isInstanceOf(error, Error)"],
      ["error instanceof OurError", "isInstanceOf(error, OurError)"],
      ["String(error)", "errorText(error)"],
      ["`failed: ${error}`", "errorText(error)"],
      ["(error as Error).message", "errorText"],
    ])("refuses %s (SEC6)", (use, instead) => {
      expect(theFinding(caught(use))).toMatch(/^thrown-values: /);
      expect(theFinding(caught(use))).toContain(instead);
    });
    it("refuses the same for a parameter that is a thrown value (SEC6)", () => {
      const text = "export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));";
      expect(tidy({ files: { "packages/cache/src/thing.ts": text } }).map(({ rule }) => rule)).toEqual(["thrown-values", "thrown-values"]);
    });
    it("accepts the accessors, other values, and our own classes where no user's code runs", () => {
      for (const use of ["errorText(error)", "isOurError(error) && error.message", "String(1)", "value instanceof Map"])
        expect(tidy(caught(use))).toEqual([]);
      expect(tidy(caught("error instanceof OurError", "machinery"))).toEqual([]);
      expect(tidy(caught("error instanceof Error", "machinery"))).toHaveLength(1);
    });
  });

  it("lets only errors use extends", () => {
    expect(theFinding(machinery("export class A extends B {}"))).toContain("classes: extends B");
    expect(tidy(machinery("export class AError extends Error {}\nexport interface C extends D {}"))).toEqual([]);
  });
  it("refuses an EventEmitter", () => {
    expect(theFinding(machinery("export type E = EventEmitter;"))).toContain("no EventEmitter");
  });

  it.each<[Partial<Manifest>, string]>([
    [{ dependencies: { ws: "^8.0.0" } }, '"ws": "^8.0.0" is not an exact version'],
    [{ scripts: { postinstall: "node x" } }, '"postinstall" would run at install'],
    [{ type: "commonjs" }, '"type" must be "module"'],
  ])("refuses the manifest %o", (manifest, message) => {
    expect(theFinding({ manifests: { machinery: manifest } })).toContain(message);
  });
  it("refuses a second version", () => {
    expect(theFinding({ manifests: { machinery: {}, api: { version: "0.2.0" } } })).toContain("version 0.2.0 differs from 0.1.0");
  });

  describe("size", () => {
    const lines = (count: number): string => Array.from({ length: count }, (_, index) => `// ${index}`).join("\n");
    const longFunction = (count: number): string => `export function long(): void {\n${lines(count - 2)}\n}`;

    it("refuses a file over 500 lines and a function over 70", () => {
      expect(theFinding(machinery(lines(501)))).toContain("has 501 lines, 500 are allowed");
      expect(theFinding(machinery(longFunction(71)))).toContain("thing.ts#long has 71 lines, 70 are allowed");
      expect(tidy(machinery(`${longFunction(70)}\n${lines(430)}`))).toEqual([]);
    });
    it("lets a listed file keep its size, but not grow", () => {
      const ratchet = { "packages/machinery/src/thing.ts": 520 };
      expect(tidy({ ...machinery(lines(520)), ratchet })).toEqual([]);
      expect(theFinding({ ...machinery(lines(521)), ratchet })).toContain("has 521 lines, 520 are allowed");
    });
    it("requires the list to shrink with the file", () => {
      const ratchet = { "packages/machinery/src/thing.ts": 520 };
      expect(theFinding({ ...machinery(lines(510)), ratchet })).toContain("lower it to 510");
      expect(theFinding({ ...machinery(lines(500)), ratchet })).toContain("remove it from the list");
      expect(theFinding({ ratchet })).toContain("remove it from the list");
    });
  });
});
