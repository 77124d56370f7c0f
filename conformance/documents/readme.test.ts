/** The README shows files of examples/ word for word: each is compiled, and run by a test. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

const examples = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const texts = new Map(examples.map((name) => [readFileSync(join(root, "examples", name), "utf8"), name]));

describe("the README", () => {
  it("shows files of examples/ word for word", () => {
    const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(
      ([, code = ""]) => texts.get(code) ?? `nowhere in examples/: ${code.split("\n", 1)[0]}`,
    );
    expect(blocks).toEqual([
      "web-app/web-app.ts",
      "web-app/web-app.test.ts",
      "pod-node-logger/classic.ts",
      "configmap-watch/watch.ts",
      "first-steps.ts",
    ]);
  });

  it("names every command, and no other", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const named = new Set([...readme.matchAll(/`npm (?:run )?([a-z:-]+)/g)].map(([, name = ""]) => name));
    for (const name of named) if (name !== "install") expect([name, Object.hasOwn(scripts, name)]).toEqual([name, true]);
    expect(
      Object.keys(scripts)
        .filter((name) => !named.has(name))
        .toSorted(),
    ).toEqual(["check-packages", "generate-openapi"]);
  });

  it("has links that lead somewhere", () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) => path);
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
