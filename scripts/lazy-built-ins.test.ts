import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLazyBuiltIn, lazyBuiltIns } from "./lazy-built-ins.mjs";
import { loadedBuiltIns } from "./loaded-built-ins.mjs";

const root = join(import.meta.dirname, "..");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "drover-built-ins-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function bundle(input: Readonly<Record<string, string>>, plugins = [lazyBuiltIns()]): Promise<void> {
  const build = await rolldown({
    input: { ...input },
    plugins,
    platform: "node",
    resolve: { conditionNames: ["drover-source", "import", "node"] },
    external: (specifier) => specifier === "ws" || (specifier.startsWith("node:") && (plugins.length === 0 || !isLazyBuiltIn(specifier))),
  });
  await build.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "chunks/[name].mjs" });
  await build.close();
}

async function bundleText(name: string, text: string, plugins = [lazyBuiltIns()]): Promise<string> {
  const source = join(folder, `${name}-source.mjs`);
  writeFileSync(source, text);
  await bundle({ [name]: source }, plugins);
  return pathToFileURL(join(folder, `${name}.mjs`)).href;
}

const program = `
  import { connect as dial, Socket } from "node:net";
  import { constants } from "node:os";
  export const isSocket = (value) => value instanceof Socket;
  export const dialName = () => dial.name;
  export const hangUp = () => constants.signals.SIGHUP;
`;

describe("lazyBuiltIns", () => {
  it("loads a module of Node when one of its names is first used", async () => {
    const url = await bundleText("lazy", program);
    expect(loadedBuiltIns(url, { cwd: folder })).toEqual([]);
    const { isSocket, dialName, hangUp } = (await import(url)) as Readonly<Record<string, (value?: unknown) => unknown>>;
    expect(isSocket?.({})).toBe(false);
    expect(dialName?.()).toBe("connect");
    expect(hangUp?.()).toBe(1);
  });

  it("rejects a module that is imported as a whole", async () => {
    await expect(bundleText("whole", `import * as net from "node:net"; export const { connect } = net;`)).rejects.toThrow(
      'imports node:net without naming what it uses: write import { … } from "node:net"',
    );
  });
});

describe("loadedBuiltIns", () => {
  it("lists what a program loads at its start", async () => {
    expect(loadedBuiltIns(await bundleText("eager", program, []), { cwd: folder })).toContain("net");
  });
});

describe("the entry points of drover", () => {
  const manifest = JSON.parse(readFileSync(join(root, "packages", "drover", "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, { readonly "drover-source"?: string }>>;
  };
  const sources = Object.values(manifest.exports).flatMap((target) => target["drover-source"] ?? []);
  const names = sources.map((source) => source.slice("./src/".length, -".ts".length));

  it("load no sockets, streams, cryptography or files before they are used", { timeout: 60_000 }, async () => {
    await bundle(Object.fromEntries(sources.map((source, index) => [names[index] ?? "", join(root, "packages", "drover", source)])));
    for (const name of names)
      expect(
        { name, loaded: loadedBuiltIns(pathToFileURL(join(folder, `${name}.mjs`)).href, { cwd: folder }) },
        `what ${name} loads`,
      ).toEqual({ name, loaded: name === "testing" ? ["timers/promises"] : [] });
  });
});
