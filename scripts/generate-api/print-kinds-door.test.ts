import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApiModel, Definition } from "./api-model.ts";
import { readDescription } from "./description-files.ts";
import { generateKindsDoor } from "./generate.ts";
import { printKindsDoor } from "./print-kinds-door.ts";

const packages = join(import.meta.dirname, "..", "..", "packages");

it("has written the door that stands in the repository", async () => {
  const text = generateKindsDoor(await readDescription(join(packages, "api", "openapi")));
  expect(await readFile(join(packages, "drover", "src", "kinds.ts"), "utf8")).toBe(text);
  const names = [...text.matchAll(/^ {2}(.+),$/gm)].flatMap(([, line = ""]) => line.split(", ")).map((name) => name.replace(/^.* as /, ""));
  expect(names.length).toBeGreaterThan(500);
  expect(new Set(names).size).toBe(names.length);
});

/** A model of "group/version: names"; a star marks a kind. */
function model(table: Readonly<Record<string, string>>): ApiModel {
  const groupVersions = Object.entries(table).map(([path, names]) => {
    const [folder = "", version = ""] = path.split("/");
    const home = { folder, version, group: folder === "core" ? "" : folder };
    const resource = {
      scope: "Cluster",
      plural: "x",
      singular: "x",
      shortNames: [],
      categories: [],
      verbs: [],
      subresources: {},
    } as unknown as Definition["resource"];
    return {
      home,
      definitions: names.split(" ").map((name): Definition => ({
        home,
        name: name.replace("*", ""),
        schema: {},
        isKind: name.endsWith("*"),
        resource: name.endsWith("*") ? resource : undefined,
        known: {},
      })),
    };
  });
  return {
    groupVersions,
    definition: () => {
      throw new Error("nobody asks");
    },
  };
}

describe("printKindsDoor", () => {
  it("exports kinds as values and their parts as types", () => {
    expect(printKindsDoor(model({ "apps/v1": "Deployment* DeploymentSpec" }))).toBe(`export { findKind, kinds } from "@drover/api";
export {
  Deployment,
} from "@drover/api/apps/v1";
export type {
  DeploymentSpec,
} from "@drover/api/apps/v1";
`);
  });

  it.each([
    ["the newest version of a group", { "a/v1": "X*", "a/v1beta1": "X*", "a/v2": "X*" }, ["X as AV1X", "X as AV1beta1X", "X"]],
    ["the kind and not a part of the same name", { "core/v1": "X", "a/v1": "X*" }, ["X as CoreV1X", "X"]],
    ["the kind of the core group", { "a/v1": "X*", "core/v1": "X*" }, ["X as AV1X", "X"]],
    ["nobody when two groups have a part of that name", { "core/v1": "X", "a/v1": "X" }, ["X as CoreV1X", "X as AV1X"]],
    ["nobody when two other groups have a kind of that name", { "b/v1": "X*", "a/v1": "X*" }, ["X as BV1X", "X as AV1X"]],
  ] as const)("gives the plain name to %s", (_, table, names) => {
    expect([...printKindsDoor(model(table)).matchAll(/^ {2}(.+),$/gm)].map(([, name]) => name)).toEqual(names);
  });
});
