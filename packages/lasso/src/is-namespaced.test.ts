import { Node, Pod } from "@drover/api/core/v1";
import { isNoMatchError } from "@drover/machinery";
import { expect, it } from "vitest";
import { isNamespaced } from "./is-namespaced.ts";
import { fixedMapper } from "./testing/fixed-mapper.ts";

it("isNamespaced asks the mapper for the scope of a resource", async () => {
  const mapper = fixedMapper(Pod, Node);
  expect(await isNamespaced({ group: "", version: "v1", resource: "pods" }, mapper)).toBe(true);
  expect(await isNamespaced({ group: "", version: "v1", resource: "nodes" }, mapper)).toBe(false);
  await expect(isNamespaced({ group: "", version: "v1", resource: "secrets" }, mapper)).rejects.toSatisfy(isNoMatchError);
});
