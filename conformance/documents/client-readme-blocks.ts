/** The code blocks of a README as programs: each block is a module, with its expected output. */

export interface ReadmeBlock {
  /** The heading above it. */
  readonly title: string;
  /** The program: the code, preceded by what the page assumes. */
  readonly program: string;
  /** The expected output, with `…` for anything; undefined when the page has none. */
  readonly output: string | undefined;
  /** Why it is not run with the others; undefined when it is. */
  readonly apart: string | undefined;
}

const fence = /^(?:<!-- (?<apart>.+?) -->\n)?```ts\n(?<code>.*?)^```\n(?:\n```text\n(?<output>.*?)^```\n)?/gms;

/** In the order of the page. */
export function readmeBlocks(markdown: string): readonly ReadmeBlock[] {
  return [...markdown.matchAll(fence)].map(({ groups = {}, index }) => {
    const title =
      markdown
        .slice(0, index)
        .match(/^#+ .+$/gm)
        ?.at(-1)
        ?.replace(/^#+ /, "") ?? "";
    return { title, program: withConnection(groups["code"] ?? ""), output: groups["output"], apart: groups["apart"] };
  });
}

/** `cluster` and `client` are those of the page's first block. */
function withConnection(code: string): string {
  const uses = (name: string): boolean => new RegExp(`(?<![.\\w])${name}\\b(?!:)`).test(code.replace(/\/\/.*$/gm, ""));
  const needsCluster = (uses("cluster") || uses("client")) && !/\b(?:const|using) cluster\b/.test(code);
  if (!needsCluster) return code;
  const imports = code.match(/^import .*\n/gm)?.join("") ?? "";
  return `import { connect as connectFirst } from "drover";\n${imports}const cluster = await connectFirst();\n${uses("client") ? "const { client } = cluster;\n" : ""}${code.slice(imports.length)}await cluster.close();\n`;
}

/** Whether the output matches the page. */
export function printsAs(expected: string, printed: string): boolean {
  const pattern = expected
    .split("…")
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${pattern}$`, "s").test(printed);
}
