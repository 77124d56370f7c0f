/** The README shows files of examples/, word for word: each is compiled, and run by a test of its own. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

const examples = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const texts = new Map(examples.map((name) => [readFileSync(join(root, "examples", name), "utf8"), name]));

describe("the README", () => {
  it("shows code that is in examples/, as it is, and so does examples/README.md", () => {
    const shown = (markdown: string): readonly string[] =>
      [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)].map(
        ([, code = ""]) => texts.get(code) ?? `nowhere in examples/: ${code.split("\n", 1)[0]}`,
      );
    expect(shown(readme)).toEqual(["web-app/web-app.ts"]);
    expect(shown(readFileSync(join(root, "examples", "README.md"), "utf8"))).toEqual([
      "web-app/web-app.test.ts",
      "pod-node-logger/classic.ts",
      "configmap-watch/watch.ts",
      "first-steps.ts",
    ]);
  });

  it("names commands that exist; CONTRIBUTING.md names all of them", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const commandsIn = (text: string): ReadonlySet<string> =>
      new Set([...text.matchAll(/`npm (?:run )?([a-z:-]+)/g)].map(([, name = ""]) => name).filter((name) => name !== "install"));
    expect([...commandsIn(readme)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    const contributing = commandsIn(readFileSync(join(root, "CONTRIBUTING.md"), "utf8"));
    expect([...contributing].toSorted()).toEqual(Object.keys(scripts).toSorted());
  });
});
