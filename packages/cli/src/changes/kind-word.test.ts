import { expect, it } from "vitest";
import { kindWord } from "./kind-word.ts";

it("kindWord returns the kind of known resources, and the resource name otherwise", () => {
  expect(["pods", "endpointslices", "widgets", "constructor"].map(kindWord)).toEqual(["Pod", "EndpointSlice", "widgets", "constructor"]);
});
