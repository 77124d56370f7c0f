import { describe, expect, it } from "vitest";
import { guessPluralName } from "./guess-plural-name.ts";

describe("guessPluralName", () => {
  it.each([
    ["", ""],
    ["Endpoints", "Endpoints"],
    ["Ingress", "Ingresses"],
    ["Switch", "Switches"],
    ["Box", "Boxes"],
    ["Mesh", "Meshes"],
    ["Proxy", "Proxies"],
    ["Gateway", "Gateways"],
    ["y", "ys"],
    ["Elf", "Elfves"],
    ["Knife", "Knifeves"],
    ["GitJob", "GitJobs"],
  ])("turns %j into %j, like Wrangler (§3.18)", (name, plural) => expect(guessPluralName(name)).toBe(plural));
});
