import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { causeWords } from "./cause-words.ts";
import type { ChangeRecord } from "./run-record.ts";

const key = objectKey("shop", "web");
const narrator = { controller: "web", key };
const change: ChangeRecord = {
  type: "change",
  event: "updated",
  via: "self",
  kind: { group: "apps", kind: "Deployment" },
  cluster: "",
  key,
  uid: "u",
  resourceVersion: "9",
  fields: [],
  fieldCount: 0,
  writers: [],
};
const field = (path: string): { path: string; before: string; after: string } => ({ path, before: "1", after: "2" });

describe("causeWords", () => {
  it("lists a few fields and counts the rest", () => {
    expect(causeWords({ ...change, fields: [field("a"), field("b"), field("c"), field("d")], fieldCount: 4 }, narrator)).toBe(
      "Deployment web/shop was updated: a 1 → 2, b 1 → 2, c 1 → 2 and 1 more field (version 9)",
    );
    expect(
      causeWords(
        {
          ...change,
          fields: [
            { path: "a", before: "1" },
            { path: "b", after: "2" },
          ],
          fieldCount: 12,
        },
        narrator,
      ),
    ).toBe("Deployment web/shop was updated: a removed (was 1), b set to 2 and 10 more fields (version 9)");
  });

  it("names the run that wrote, as far as it differs from the described one", () => {
    const by = (controller: string, of: string): string =>
      causeWords({ ...change, writers: [{ type: "self", controller, key: objectKey(of, "web"), run: "7f#1" }] }, narrator);
    expect(by("web", "shop")).toContain("by us, in run 7f#1 (version");
    expect(by("web", "cart")).toContain("by us, in run 7f#1 for web/cart (version");
    expect(by("scaler", "shop")).toContain("by us, in run 7f#1 of scaler for web/shop (version");
  });

  it("names field managers with their subresource, and omits unknown writers", () => {
    expect(
      causeWords(
        {
          ...change,
          writers: [
            { type: "manager", manager: "kubelet", operation: "Update", subresource: "status" },
            { type: "manager", manager: "", operation: "Apply" },
            { type: "unknown" },
          ],
        },
        narrator,
      ),
    ).toBe("Deployment web/shop was updated in no relevant field, by kubelet through status and a manager without a name (version 9)");
    expect(causeWords({ ...change, event: "deleted", writers: [{ type: "unknown" }] }, narrator)).toBe("Deployment web/shop was deleted");
  });

  it("distinguishes a failure from a conflict", () => {
    expect(causeWords({ type: "retry", attempt: 3, error: "no\nquota", run: "7f#1", isConflict: false }, narrator)).toBe(
      "retry 3: run 7f#1 failed: no quota",
    );
  });
});
