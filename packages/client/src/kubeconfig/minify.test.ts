import { definedOnly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { parseKubeconfig } from "./kubeconfig-text.ts";
import { minifyKubeconfig } from "./minify.ts";

const config = parseKubeconfig(`
current-context: a
clusters: [{ name: c1 }, { name: c2 }]
users: [{ name: u1 }, { name: u2 }]
contexts: [{ name: a, context: { cluster: c1, user: u1 } }, { name: b, context: { cluster: c2, user: u2 } }, { name: lost, context: { cluster: gone } }, { name: bare }]
extensions: [{ name: e }]
`);

describe("minifyKubeconfig", () => {
  it.each([
    [undefined, ["a"], ["c1"], ["u1"]],
    ["b", ["b"], ["c2"], ["u2"]],
    ["bare", ["bare"], [], []],
  ])("keeps only what the context %s needs", (context, ...expected) => {
    const small = minifyKubeconfig(config, definedOnly({ context }));
    expect([small.contexts, small.clusters, small.users].map((entries) => entries.map(({ name }) => name))).toEqual(expected);
    expect([small["current-context"], small.extensions]).toEqual([expected[0]?.[0], config.extensions]);
  });

  it("rejects a missing or incomplete context, and no context at all", () => {
    expect(() => minifyKubeconfig(config, { context: "nope" })).toThrow('there is no context "nope"');
    expect(() => minifyKubeconfig(config, { context: "lost" })).toThrow('there is no cluster "gone"');
    expect(() => minifyKubeconfig({ ...config, "current-context": "" })).toThrow("has no current-context");
  });
});
