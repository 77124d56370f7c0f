import { CertificateSigningRequest } from "@drover/api/certificates/v1";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

const condition = (types: readonly string[], status: JsonObject = {}): JsonValue =>
  printed(CertificateSigningRequest, { spec: {}, status: { conditions: types.map((type) => ({ type, status: "True" })), ...status } })[
    "Condition"
  ] ?? null;

describe("CertificateSigningRequest table", () => {
  it("has signer, requestor and requested duration", () => {
    expect(printed(CertificateSigningRequest, { spec: { signerName: "example.com/s", username: "u", expirationSeconds: 7200 } })).toEqual({
      Name: "web",
      Age: "5m",
      SignerName: "example.com/s",
      Requestor: "u",
      RequestedDuration: "120m",
      Condition: "Pending",
    });
    expect(printed(CertificateSigningRequest, { spec: {} })).toMatchObject({
      SignerName: "<none>",
      Requestor: "",
      RequestedDuration: "<none>",
    });
  });

  it("has the condition, with Denied before Approved", () => {
    expect(condition(["Approved"])).toBe("Approved");
    expect(condition(["Approved", "Denied"])).toBe("Denied");
    expect(condition(["Approved"], { certificate: "eA==" })).toBe("Approved,Issued");
    expect(condition(["Failed"], { certificate: "eA==" })).toBe("Pending,Failed,Issued");
  });
});
