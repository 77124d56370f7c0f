/** One page with every option and its default, from the `@default` tags of what the packages export, so that it agrees with the code. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript-ast";

interface Option {
  readonly name: string;
  readonly text: string;
  readonly default: string;
}

interface OptionGroup {
  readonly name: string;
  /** What it takes over from elsewhere, as it is written. */
  readonly parents: readonly string[];
  readonly options: readonly Option[];
}

/** The exported interfaces of one package. */
export interface PackageOptions {
  readonly title: string;
  readonly interfaces: readonly ts.InterfaceDeclaration[];
}

/** The packages whose options the page lists, in the order of the page. */
export const listedPackages: readonly string[] = ["drover", "client", "cache", "workqueue", "controller", "patterns"];

export function readOptions(root: string, folders: readonly string[]): readonly PackageOptions[] {
  return folders.map((folder) => ({
    title: folder === "drover" ? folder : `@drover/${folder}`,
    interfaces: exportedInterfaces(join(root, "packages", folder, "src", "index.ts")),
  }));
}

/** Options that may be left out, of which the comments do not say what happens then: "AttachOptions.signal". */
export function optionsWithoutDefault(packages: readonly PackageOptions[]): readonly string[] {
  return packages
    .flatMap(({ interfaces }) => interfaces)
    .filter(({ name }) => name.text.endsWith("Options") && !name.text.endsWith("ErrorOptions"))
    .flatMap((declaration) =>
      declaration.members
        .filter((member) => member.questionToken !== undefined && optionOf(member).length === 0)
        .map((member) => `${declaration.name.text}.${member.name?.getText() ?? ""}`),
    );
}

/** The page, as Markdown. */
export function optionsPage(packages: readonly PackageOptions[]): string {
  return `# Options

<!-- Written by a test: npx vitest run conformance -t "every option" -u -->

Every option that has a default, by package and interface, from the comments in the code. Options without a default are required and are not listed here.

${packages.map(({ title, interfaces }) => `## ${title}\n\n${interfaces.flatMap(groupOf).map(printGroup).join("\n")}`).join("\n")}`;
}

/**
 * Rows of a README's tables whose default has a number or a size that the code's comments do not have for any of the
 * options named in it.
 */
export function defaultsThatDiffer(readme: string, packages: readonly PackageOptions[]): readonly string[] {
  const known = new Map<string, string>();
  for (const { name, default: said } of packages
    .flatMap(({ interfaces }) => interfaces)
    .flatMap(groupOf)
    .flatMap(({ options }) => options))
    known.set(name, `${known.get(name) ?? ""} ${said}`);
  return [...readme.matchAll(/^\|.*`.*\| ([^|]*) \|$/gm)]
    .filter(([row, said = ""]) => {
      const named = [...row.matchAll(/`[^`]+`/g)].flatMap(([code]) => code.match(/\w+/g) ?? []).filter((name) => known.has(name));
      const right = new Set(named.flatMap((name) => amounts(known.get(name) ?? "")));
      return named.length > 0 && amounts(said.replace(/`[^`]*`/g, "")).some((amount) => !right.has(amount));
    })
    .map(([row]) => row);
}

const units: Readonly<Record<string, number>> = {
  s: 1000,
  second: 1000,
  seconds: 1000,
  minute: 60_000,
  minutes: 60_000,
  KiB: 1024,
  MiB: 1024 * 1024,
};

/** "a minute", "30 s", "16 MiB", "10,000" and "128 * 1024" in milliseconds or bytes. */
function amounts(text: string): readonly number[] {
  const products = text.replace(/\d+(?: \* \d+)+/g, (product) =>
    String(product.split(" * ").reduce((result, factor) => result * Number(factor), 1)),
  );
  return [...products.matchAll(/(?<![\w."])(a|\d[\d,_]*)(?: (s|seconds?|minutes?|KiB|MiB))?\b/g)].flatMap(([, number = "", unit = ""]) => {
    const value = number === "a" ? 1 : Number(number.replace(/[,_]/g, ""));
    return number === "a" && unit === "" ? [] : [value * (units[unit] ?? 1)];
  });
}

function printGroup({ name, parents, options }: OptionGroup): string {
  const rows = options.map((option) => `| \`${option.name}\` | ${option.text} | ${option.default} |`);
  const inherited = parents.length === 0 ? "" : `\nand those of ${parents.map((parent) => `\`${parent}\``).join(", ")}\n`;
  return `### ${name}\n${inherited}\n| option | | default |\n|---|---|---|\n${rows.join("\n")}\n`;
}

/** In the order of the door. What a door only hands on from another package stands with that one. */
function exportedInterfaces(door: string): readonly ts.InterfaceDeclaration[] {
  return parse(door)
    .statements.filter(ts.isExportDeclaration)
    .flatMap(({ moduleSpecifier, exportClause }) => {
      if (
        moduleSpecifier === undefined ||
        !ts.isStringLiteral(moduleSpecifier) ||
        !moduleSpecifier.text.startsWith(".") ||
        exportClause === undefined ||
        !ts.isNamedExports(exportClause)
      )
        return [];
      const names = new Set(exportClause.elements.map(({ name }) => name.text));
      return parse(join(dirname(door), moduleSpecifier.text))
        .statements.filter(ts.isInterfaceDeclaration)
        .filter(({ name }) => names.has(name.text));
    });
}

/** Nothing when no member has a default. */
function groupOf(declaration: ts.InterfaceDeclaration): readonly OptionGroup[] {
  const options = declaration.members.flatMap(optionOf);
  const parents =
    declaration.heritageClauses?.flatMap(({ types }) => types.map((type) => cell(type.getText()).replaceAll("\\|", "|"))) ?? [];
  return options.length === 0 ? [] : [{ name: declaration.name.text, parents, options }];
}

function optionOf(member: ts.TypeElement): readonly Option[] {
  const [comment] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
  const tag = comment?.tags?.find(({ tagName }) => tagName.text === "default");
  if (comment === undefined || tag === undefined || member.name === undefined) return [];
  return [
    {
      name: member.name.getText(),
      text: cell(ts.getTextOfJSDocComment(comment.comment)),
      default: cell(ts.getTextOfJSDocComment(tag.comment)),
    },
  ];
}

const cell = (text = ""): string => text.replace(/\s+/g, " ").replaceAll("|", "\\|").trim();
const parse = (file: string): ts.SourceFile => ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
