import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript-ast";
import { describe, expect, it } from "vitest";
import { readDescription } from "./description-files.ts";
import { splitDefinition } from "./naming.ts";
import { wellKnown } from "./well-known.ts";

const packages = join(import.meta.dirname, "..", "..", "packages");

/** Fields of a server's ListMeta that machinery leaves out on purpose: sharded lists are experimental. */
const leftOut: Readonly<Record<string, readonly string[]>> = { ListMeta: ["shardInfo"] };

describe("the types that machinery has in place of definitions", () => {
  it("have the same fields, required and optional, as the server's document", async () => {
    const { definitions } = await readDescription(join(packages, "api", "openapi"));
    const interfaces = await readInterfaces(join(packages, "machinery", "src"));
    const checked = Object.entries(wellKnown).filter(
      ([fullName, { machinery }]) => machinery !== undefined && definitions[fullName]?.properties !== undefined,
    );
    for (const [fullName, { machinery = "" }] of checked) {
      const { properties = {}, required = [] } = definitions[fullName] ?? {};
      const { name } = splitDefinition(fullName);
      const theirs = Object.keys(properties)
        .filter((field) => !leftOut[name]?.includes(field))
        .map((field) => (required.includes(field) ? field : `${field}?`));
      expect(interfaces.get(machinery)?.toSorted(), machinery).toEqual(theirs.toSorted());
    }
    expect(checked.length).toBeGreaterThan(7);
  });
});

/** Every interface of a package by its name: the names of its fields, inherited ones included, with "?" behind optional ones. */
async function readInterfaces(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const sources = await Promise.all(
    files.map(async (file) => ts.createSourceFile(file, await readFile(join(folder, file), "utf8"), ts.ScriptTarget.ES2022)),
  );
  const all = new Map(
    sources.flatMap(({ statements }) => statements.filter(ts.isInterfaceDeclaration).map((found) => [found.name.text, found] as const)),
  );
  const fieldsOf = (found: ts.InterfaceDeclaration): readonly string[] => [
    ...found.members.flatMap((member) =>
      member.name !== undefined && "text" in member.name ? [`${member.name.text}${member.questionToken === undefined ? "" : "?"}`] : [],
    ),
    ...(found.heritageClauses ?? [])
      .flatMap(({ types }) => types)
      .flatMap((parent) => {
        // `extends X` or `extends Readonly<X>`.
        const [wrapped] = parent.typeArguments ?? [];
        const name = wrapped !== undefined && ts.isTypeReferenceNode(wrapped) ? wrapped.typeName : parent.expression;
        const declaration = ts.isIdentifier(name) ? all.get(name.text) : undefined;
        return declaration === undefined ? [] : fieldsOf(declaration);
      }),
  ];
  return new Map([...all].map(([name, found]) => [name, fieldsOf(found)]));
}
