import { describe, expect, it } from "vitest";
import { cutText, valueText } from "./value-text.ts";

const plain = (value: Parameters<typeof valueText>[0], ...names: string[]): string => valueText(value, { names, isSecret: false });
const inSecret = (value: Parameters<typeof valueText>[0], ...names: string[]): string => valueText(value, { names, isSecret: true });
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

describe("valueText", () => {
  it("returns short JSON", () => {
    expect([plain(3, "spec"), plain("a", "spec"), plain({ b: [1, null] }, "spec"), plain(9_007_199_254_740_993n, "spec")]).toEqual([
      "3",
      '"a"',
      '{"b":[1,null]}',
      "9007199254740993",
    ]);
    expect(plain("x".repeat(500), "spec")).toHaveLength(80);
  });

  it("never splits a character", () => {
    expect(cutText("ab😀cd", 4)).toBe("ab…");
    expect(cutText("ab😀cd", 5)).toBe("ab😀…");
  });

  it("redacts data of a Secret, its copy in an annotation, and values with a secret-looking name (§9.39)", () => {
    expect([
      inSecret("cGFzcw==", "data", "password"),
      inSecret({ password: "cGFzcw==" }, "data"),
      inSecret("x", "stringData", "a"),
    ]).toEqual(["[redacted]", "[redacted]", "[redacted]"]);
    expect(inSecret('{"data":{"a":"cGFzcw=="}}', "metadata", "annotations", lastApplied)).toBe("[redacted]");
    expect(inSecret({ [lastApplied]: "cGFzcw==", b: "ok" }, "metadata", "annotations")).toBe(`{"${lastApplied}":"[redacted]","b":"ok"}`);
    expect(inSecret("Opaque", "type")).toBe('"Opaque"');
    expect([plain("hunter2", "spec", "password"), plain({ auth: { token: "hunter2" } }, "spec")]).toEqual([
      "[redacted]",
      '{"auth":{"token":"[redacted]"}}',
    ]);
  });

  it("redacts environment variables with a secret-looking name, alone and in their list, and copies of the object", () => {
    expect([plain("hunter2", "env", "name=DB_PASSWORD", "value"), plain("debug", "env", "name=LOG", "value")]).toEqual([
      "[redacted]",
      '"debug"',
    ]);
    expect(
      plain(
        [
          { name: "API_TOKEN", value: "hunter2" },
          { name: "LOG", value: "debug" },
        ],
        "env",
      ),
    ).toBe('[{"name":"API_TOKEN","value":"[redacted]"},{"name":"LOG","value":"debug"}]');
    expect([
      plain("{hunter2}", "metadata", "annotations", lastApplied),
      plain({ [lastApplied]: "{hunter2}" }, "metadata", "annotations"),
    ]).toEqual(["[redacted]", `{"${lastApplied}":"[redacted]"}`]);
  });
});
