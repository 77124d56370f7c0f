import { jsonResponse, statusResponse } from "@drover/client/testing";
import { newFailure } from "@drover/machinery";
import type { HttpResponse } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { serverIdentity } from "./server-identity.ts";

const { signal } = new AbortController();

describe("serverIdentity", () => {
  it("is the uid of kube-system, asked for once", async () => {
    const paths: string[] = [];
    const identity = serverIdentity(({ path }) => {
      paths.push(path);
      return Promise.resolve(jsonResponse({ kind: "Namespace", metadata: { name: "kube-system", uid: "u1" } }));
    }, "https://a");
    expect([await identity(signal), await identity(signal)]).toEqual(["kube-system u1", "kube-system u1"]);
    expect(paths).toEqual(["/api/v1/namespaces/kube-system"]);
  });

  it("is the address where the uid may not be read", async () => {
    const answers: readonly HttpResponse[] = [
      statusResponse(newFailure(403, "Forbidden", "not allowed")),
      statusResponse(newFailure(404, "NotFound", "not here")),
      jsonResponse({ metadata: {} }),
    ];
    for (const answer of answers)
      expect(await serverIdentity(() => Promise.resolve(answer), "https://a")(signal)).toBe("address https://a");
  });

  it("asks again after a failure", async () => {
    let isUp = false;
    const identity = serverIdentity(
      () =>
        Promise.resolve(isUp ? jsonResponse({ metadata: { uid: "u1" } }) : statusResponse(newFailure(503, "ServiceUnavailable", "later"))),
      "",
    );
    await expect(identity(signal)).rejects.toThrow("later");
    isUp = true;
    expect(await identity(signal)).toBe("kube-system u1");
  });
});
