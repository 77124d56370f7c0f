import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(root, ...path), "utf8"));

interface Entry {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly hasInstallScript?: boolean;
}
const { packages } = read("package-lock.json") as { readonly packages: Readonly<Record<string, Entry>> };
const installed = Object.entries(packages).filter(([place, { link }]) => place.includes("node_modules/") && link !== true);

describe("package-lock.json", () => {
  /**
   * Binaries of the tools for other platforms, which the registry of the last `npm install` did not have
   * (complete-lockfile.mjs). The number may only shrink.
   */
  const toolBinary =
    /^node_modules\/@(?:oxfmt|oxlint|rolldown|oxlint-tsgolint)\/(?:binding-)?(?:android|darwin|freebsd|linux|openharmony|wasm32|win32)-/;
  const unprovenMax = 46;

  it("has an integrity for every package that is installed here or that a user installs (SEC23, X27, S18)", () => {
    const without = installed.filter(([, { integrity = "" }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
    expect(
      without
        .filter(([place, { optional, dev }]) => !(toolBinary.test(place) && optional === true && dev === true))
        .map(([place]) => place),
    ).toEqual([]);
    expect(without.length).toBeLessThanOrEqual(unprovenMax);
    const here = readFileSync(join(root, "node_modules", ".package-lock.json"), "utf8");
    expect(without.filter(([place]) => here.includes(`"${place}": {`)).map(([place]) => place)).toEqual([]);
  });

  it("names no place to install from other than the registry (X27, S18)", () => {
    expect(
      installed.filter(([, { resolved = "https://registry.npmjs.org/" }]) => !resolved.startsWith("https://registry.npmjs.org/")),
    ).toEqual([]);
  });
});

it("every package is published for everyone, with provenance (SEC23)", () => {
  const manifests = readdirSync(join(root, "packages")).map(
    (folder) => read("packages", folder, "package.json") as { readonly name: string; readonly publishConfig?: object },
  );
  expect(
    manifests
      .filter(({ publishConfig }) => JSON.stringify(publishConfig) !== '{"access":"public","provenance":true}')
      .map(({ name }) => name),
  ).toEqual([]);
});
