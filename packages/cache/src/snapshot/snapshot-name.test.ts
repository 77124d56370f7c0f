import { describe, expect, it } from "vitest";
import { snapshotName } from "./snapshot-name.ts";

describe("snapshotName", () => {
  it("names the resource, and differs between collections", () => {
    expect(snapshotName("deployments.apps", "all")).toMatch(/^deployments\.apps-[0-9a-f]{16}$/);
    expect(snapshotName("pods", "app=web")).not.toBe(snapshotName("pods", "app=db"));
    expect(snapshotName("pods", "app=web")).toBe(snapshotName("pods", "app=web"));
  });

  it("is safe as the name of a file, whatever a group is called", () => {
    expect(snapshotName(`../../${"x".repeat(300)}`, "")).toMatch(/^[A-Za-z0-9.-]{1,200}$/);
    expect(snapshotName("a/b", "")).not.toContain("/");
  });
});
