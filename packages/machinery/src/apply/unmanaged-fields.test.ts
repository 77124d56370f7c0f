import { expect, it } from "vitest";

import { hasPath } from "./field-set.ts";
import { unmanagedFields } from "./unmanaged-fields.ts";

it("unmanagedFields names the server's fields, and no other metadata", () => {
  for (const path of [["f:apiVersion"], ["f:metadata"], ["f:metadata", "f:uid"], ["f:metadata", "f:managedFields"]])
    expect(hasPath(unmanagedFields, path)).toBe(true);
  for (const path of [["f:spec"], ["f:metadata", "f:labels"], ["f:metadata", "f:finalizers"]])
    expect(hasPath(unmanagedFields, path)).toBe(false);
});
