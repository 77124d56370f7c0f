import { expect, it } from "vitest";
import { kindWord } from "./kind-word.ts";

it("calls objects as people do, and unknown ones by their resource", () => {
  expect(["pods", "endpointslices", "widgets", "constructor"].map(kindWord)).toEqual(["Pod", "EndpointSlice", "widgets", "constructor"]);
});
