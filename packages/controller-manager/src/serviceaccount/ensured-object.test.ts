import { ApiError, newAlreadyExists, newForbidden, newInternalError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ensureCreated, isActive } from "./ensured-object.ts";

describe("what every namespace has", () => {
  it("is for namespaces that are active", () => {
    expect([
      isActive({ metadata: {}, status: { phase: "Active" } }),
      isActive({ metadata: {}, status: { phase: "Terminating" } }),
      isActive(undefined),
    ]).toEqual([true, false, false]);
  });

  it("is there when somebody was faster, and not missed in a namespace that is going; anything else is an error", async () => {
    const forbidden = newForbidden({ group: "", resource: "configmaps" }, "x", "going");
    const terminating = { ...forbidden, details: { ...forbidden.details, causes: [{ reason: "NamespaceTerminating" }] } };
    for (const status of [newAlreadyExists({ group: "", resource: "configmaps" }, "x"), terminating])
      await ensureCreated(() => Promise.reject(new ApiError(status)));
    for (const status of [forbidden, newInternalError("down")])
      await expect(ensureCreated(() => Promise.reject(new ApiError(status)))).rejects.toThrow(ApiError);
  });
});
