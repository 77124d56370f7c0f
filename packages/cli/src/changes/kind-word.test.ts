import { expect, it } from "vitest";
import { kindWord } from "./kind-word.ts";

it("kindWord returns the kind of known resources, and the resource name otherwise", () => {
  expect(["pods", "endpointslices", "clusterroles", "widgets", "constructor"].map(kindWord)).toEqual([
    "Pod",
    "EndpointSlice",
    "ClusterRole",
    "widgets",
    "constructor",
  ]);
});
