import { expect, it } from "vitest";
import { KindWords } from "./kind-words.ts";

it("KindWords.word returns the kind of built-in resources, and the resource name of unknown ones", () => {
  const words = new KindWords();
  const pairs = [
    ["", "pods"],
    ["discovery.k8s.io", "endpointslices"],
    ["rbac.authorization.k8s.io", "clusterroles"],
    ["example.com", "pods"],
    ["", "constructor"],
  ] as const;
  expect(pairs.map(([group, resource]) => words.word({ group, resource }))).toEqual([
    "Pod",
    "EndpointSlice",
    "ClusterRole",
    "pods",
    "constructor",
  ]);
});

it("KindWords.learn adds kinds by group, and keeps the built-in ones", () => {
  const words = new KindWords();
  words.learn({ group: "example.com", resource: "widgets" }, "Widget");
  words.learn({ group: "", resource: "pods" }, "Trap");
  expect(words.word({ group: "example.com", resource: "widgets" })).toBe("Widget");
  expect(words.word({ group: "other.example.com", resource: "widgets" })).toBe("widgets");
  expect(words.word({ group: "", resource: "pods" })).toBe("Pod");
});
