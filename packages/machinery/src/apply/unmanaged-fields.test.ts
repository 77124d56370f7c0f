import { expect, it } from "vitest";

import { hasPath } from "./field-set.ts";
import { unmanagedFields } from "./unmanaged-fields.ts";

it("names what belongs to the server, and not the rest of the metadata", () => {
  for (const path of [["f:apiVersion"], ["f:metadata"], ["f:metadata", "f:uid"], ["f:metadata", "f:managedFields"]])
    expect(hasPath(unmanagedFields, path)).toBe(true);
  for (const path of [["f:spec"], ["f:metadata", "f:labels"], ["f:metadata", "f:finalizers"]])
    expect(hasPath(unmanagedFields, path)).toBe(false);
});
