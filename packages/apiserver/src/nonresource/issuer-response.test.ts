import { createPublicKey, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

describe("the issuer of service account tokens", () => {
  it("publishes the key with which others can verify tokens", async () => {
    const { call } = await testServer({ serverAddress: "127.0.0.1:7443", serviceAccountIssuer: "https://issuer.example.com" });
    const { object, headers } = await call("GET", "/.well-known/openid-configuration");
    expect(object).toEqual({
      issuer: "https://issuer.example.com",
      jwks_uri: "https://127.0.0.1:7443/openid/v1/jwks",
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256"],
    });
    expect(headers).toMatchObject({ "content-type": "application/json", "cache-control": "public, max-age=3600" });
    await call("POST", "/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "robot" } });
    const issued = await call("POST", "/api/v1/namespaces/default/serviceaccounts/robot/token", { spec: {} });
    const [head = "", body = "", signature = ""] = (issued.object["status"] as { token: string }).token.split(".");
    const { keys } = (await call("GET", "/openid/v1/jwks")).object as { keys: { kid: string }[] };
    const { kid } = JSON.parse(Buffer.from(head, "base64url").toString()) as { kid: string };
    const key = keys.find((one) => one.kid === kid);
    const publicKey = createPublicKey({ key: key as never, format: "jwk" });
    const isSigned = verify(
      "sha256",
      Buffer.from(`${head}.${body}`),
      { key: publicKey, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    );
    expect(isSigned).toBe(true);
  });

  it("is open to service accounts, and to nobody else", async () => {
    const server = await testServer();
    const ask = async (name: string, ...groups: readonly string[]): Promise<number> =>
      (await server.handleAs({ name, groups })({ method: "GET", path: "/openid/v1/jwks", headers: {} })).status;
    expect([await ask("system:serviceaccount:a:b", "system:serviceaccounts"), await ask("alice")]).toEqual([200, 403]);
  });
});
