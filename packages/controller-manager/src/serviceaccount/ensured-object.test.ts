import { ApiError, newAlreadyExists, newForbidden, newInternalError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ensureCreated, isActive } from "./ensured-object.ts";

describe("ensureCreated", () => {
  it("applies to active namespaces", () => {
    expect([
      isActive({ metadata: {}, status: { phase: "Active" } }),
      isActive({ metadata: {}, status: { phase: "Terminating" } }),
      isActive(undefined),
    ]).toEqual([true, false, false]);
  });

  it("ignores AlreadyExists and terminating namespaces, and throws any other error", async () => {
    const forbidden = newForbidden({ group: "", resource: "configmaps" }, "x", "going");
    const terminating = { ...forbidden, details: { ...forbidden.details, causes: [{ reason: "NamespaceTerminating" }] } };
    for (const status of [newAlreadyExists({ group: "", resource: "configmaps" }, "x"), terminating])
      await ensureCreated(() => Promise.reject(new ApiError(status)));
    for (const status of [forbidden, newInternalError("down")])
      await expect(ensureCreated(() => Promise.reject(new ApiError(status)))).rejects.toThrow(ApiError);
  });
});
