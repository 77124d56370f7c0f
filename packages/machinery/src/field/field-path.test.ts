import { describe, expect, it } from "vitest";
import { fieldChild, fieldIndex, fieldKey } from "./field-path.ts";

describe("field paths", () => {
  it("print fields, items and entries as the server does", () => {
    expect(fieldChild(fieldIndex(fieldChild(fieldChild("", "spec"), "containers"), 0), "image")).toBe("spec.containers[0].image");
    expect(fieldKey("metadata.labels", "app.kubernetes.io/name")).toBe("metadata.labels[app.kubernetes.io/name]");
    expect(fieldIndex("", 3)).toBe("[3]");
  });
});
