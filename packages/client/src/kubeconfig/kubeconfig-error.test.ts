import { describe, expect, it } from "vitest";
import { KubeconfigError, describeEntry, isKubeconfigError, quoted, shortPath } from "./kubeconfig-error.ts";

describe("KubeconfigError", () => {
  it("is one sentence for one problem, and a list for several", () => {
    expect(new KubeconfigError("invalid", ["a is b"]).message).toBe("a is b [DRV0303]");
    expect(new KubeconfigError("invalid", ["a", "b"]).message).toBe("the kubeconfig has 2 problems [DRV0303]:\n  - a\n  - b");
  });

  it("is recognised by its reason", () => {
    const error = new KubeconfigError("empty", ["x"]);
    expect([
      isKubeconfigError(error),
      isKubeconfigError(error, "empty"),
      isKubeconfigError(error, "invalid"),
      isKubeconfigError(new Error("x")),
    ]).toEqual([true, true, false, false]);
  });

  it("names entries by file and index, or by name alone", () => {
    expect(describeEntry("users", { name: "dev", origin: { file: "/home/ada/.kube/config", index: 2 } }, "/home/ada")).toBe(
      '~/.kube/config: users[2] ("dev")',
    );
    expect(describeEntry("clusters", { name: "c" }, undefined)).toBe('cluster "c"');
  });

  it("abbreviates only paths under the home directory", () => {
    expect(["/home/ada/x", "/home/adam/x", "/x"].map((path) => shortPath(path, "/home/ada"))).toEqual(["~/x", "/home/adam/x", "/x"]);
    expect([shortPath("/x", "/"), shortPath("/x", undefined)]).toEqual(["/x", "/x"]);
  });

  it("escapes control characters in names", () => {
    expect(quoted("a\u001b[1m\u202e\u0085")).toBe('"a\\u001b[1m\\u{202e}\\u{85}"');
  });
});
