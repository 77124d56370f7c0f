import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callbackPlaces } from "./callback-places.ts";
import { hostilePlaces } from "./hostile-places.ts";
import { sourceFile } from "./house.ts";
import { readHouse } from "./read-house.ts";

const root = join(import.meta.dirname, "..", "..");

describe("hostilePlaces", () => {
  it("lists every callback that the packages take, and no other (SEC6)", () => {
    expect(Object.keys(hostilePlaces).toSorted()).toEqual(callbackPlaces(readHouse(root)));
  });

  it("names tests that exist (SEC6)", () => {
    const folder = join(root, "packages/drover/src");
    const files = readdirSync(folder).filter((file) => /^hostile-.*\.test\.ts$/.test(file));
    const suite = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
    const tests = Object.values(hostilePlaces).flatMap((place) => ("test" in place ? [place.test] : []));
    expect(tests.filter((title) => !suite.includes(`("${title}"`))).toEqual([]);
  });
});

describe("callbackPlaces", () => {
  it("finds function types, methods and function members of exported interfaces that users fill in", () => {
    const files = {
      "packages/cache/src/index.ts":
        'export type { Look, SeeOptions, Seen } from "./see.ts";\nexport type { Other } from "./other.ts";\nexport const x = 1;',
      "packages/cache/src/see.ts":
        "export type Look = () => void;\nexport interface SeeOptions { readonly onSeen?: () => void; readonly name: string; readonly some: (() => void) | undefined; look(): void }\nexport interface Seen { look(): void }\nexport interface HiddenOptions { look(): void }",
    };
    const house = {
      packages: [
        {
          folder: "cache",
          manifest: { name: "@drover/cache" },
          files: Object.entries(files).map(([path, text]) => sourceFile(path, text)),
        },
      ],
      yard: [],
    };
    expect(callbackPlaces(house)).toEqual(["cache Look", "cache SeeOptions.look", "cache SeeOptions.onSeen", "cache SeeOptions.some"]);
  });
});
