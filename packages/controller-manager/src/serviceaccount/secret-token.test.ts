import type { Secret, ServiceAccount } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { filledSecret, isForAccount } from "./secret-token.ts";
import type { TokenKey } from "./secret-token.ts";

const key = (): TokenKey => ({ keyId: "k1", sign: () => new Uint8Array([255, 254, 253]) });
const secret = (data: Secret["data"] = {}, annotations: Record<string, string> = {}): Secret => ({
  metadata: { name: "t", namespace: "shop", annotations: { "kubernetes.io/service-account.name": "robot", ...annotations } },
  type: "kubernetes.io/service-account-token",
  data,
});
const robot: ServiceAccount = { metadata: { name: "robot", namespace: "shop", uid: "u1" } };

describe("filledSecret", () => {
  it("adds a token of the account, its namespace and the authority", () => {
    const { metadata, data = {} } = filledSecret(secret(), robot, { key, authorityPem: "PEM" }) ?? {};
    expect(metadata?.annotations).toEqual({ "kubernetes.io/service-account.name": "robot", "kubernetes.io/service-account.uid": "u1" });
    expect([atob(data["ca.crt"] ?? ""), atob(data["namespace"] ?? "")]).toEqual(["PEM", "shop"]);
    const [head = "", body = "", signature] = atob(data["token"] ?? "").split(".");
    expect([JSON.parse(atob(head)), signature]).toEqual([{ alg: "ES256", kid: "k1" }, "__79"]);
    expect(JSON.parse(atob(body))).toEqual({
      iss: "kubernetes/serviceaccount",
      "kubernetes.io/serviceaccount/namespace": "shop",
      "kubernetes.io/serviceaccount/secret.name": "t",
      "kubernetes.io/serviceaccount/service-account.name": "robot",
      "kubernetes.io/serviceaccount/service-account.uid": "u1",
      sub: "system:serviceaccount:shop:robot",
    });
  });

  it("keeps what is there, and corrects the authority", () => {
    const full = { token: "dA==", namespace: "bnM=", "ca.crt": "b2xk" };
    expect(filledSecret(secret(full), robot, { key })).toBeUndefined();
    expect(filledSecret(secret(full), robot, { key, authorityPem: "old" })).toBeUndefined();
    expect(filledSecret(secret(full), robot, { key, authorityPem: "new" })?.data).toEqual({ ...full, "ca.crt": btoa("new") });
  });
});

describe("isForAccount", () => {
  it("compares the name and, if the Secret has one, the uid", () => {
    const bound = secret({}, { "kubernetes.io/service-account.uid": "u1" });
    expect([isForAccount(secret(), { name: "robot", uid: "u2" }), isForAccount(secret(), { name: "other", uid: "u1" })]).toEqual([
      true,
      false,
    ]);
    expect([isForAccount(bound, { name: "robot", uid: "u1" }), isForAccount(bound, { name: "robot", uid: "u2" })]).toEqual([true, false]);
  });
});
