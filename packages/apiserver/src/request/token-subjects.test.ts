import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { nodeHost } from "../http/node-host.ts";
import { toBase64Url } from "../base64-url.ts";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

const core = "/api/v1/namespaces/default";
const signer = nodeHost.tokenSigner();
const stage = (): Promise<TestServer> => testServer({ host: { ...nodeHost, tokenSigner: () => signer } });

async function review({ call }: TestServer, token: string): Promise<unknown> {
  const { object } = await call("POST", "/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token } });
  const { authenticated, error } = object["status"] as { authenticated?: boolean; error?: string };
  // The list of static tokens does not know it either.
  return error?.replace(/^\[invalid bearer token, (.*)\]$/, "$1") ?? authenticated;
}

async function tokenFor({ call }: TestServer, spec: JsonObject): Promise<string> {
  const { object } = await call("POST", `${core}/serviceaccounts/robot/token`, { spec });
  return (object["status"] as { token: string }).token;
}

const create = async ({ call }: TestServer, plural: string, object: JsonObject): Promise<string> =>
  ((await call("POST", `${core}/${plural}`, object)).object["metadata"] as { uid: string }).uid;

describe("tokens of service accounts", () => {
  it("die with the account, and do not come back with one of the same name", async () => {
    const server = await stage();
    const uid = await create(server, "serviceaccounts", { metadata: { name: "robot" } });
    const token = await tokenFor(server, {});
    expect(await review(server, token)).toBe(true);
    await server.call("DELETE", `${core}/serviceaccounts/robot`);
    expect(await review(server, token)).toBe('serviceaccounts "robot" not found');
    const other = await create(server, "serviceaccounts", { metadata: { name: "robot" } });
    expect(await review(server, token)).toBe(`service account UID (${other}) does not match claim (${uid})`);
  });

  it("die with the pod that they are bound to, also while it waits for its finalizers", async () => {
    const server = await stage();
    await create(server, "serviceaccounts", { metadata: { name: "robot" } });
    const spec = { serviceAccountName: "robot", containers: [{ name: "c", image: "i" }] };
    await create(server, "pods", { metadata: { name: "p", finalizers: ["example.com/wait"] }, spec });
    const token = await tokenFor(server, { boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "p" } });
    await server.call("DELETE", `${core}/pods/p?gracePeriodSeconds=0`);
    expect(await review(server, token)).toBe(true);
    await server.clock.advance(62_000);
    expect(await review(server, token)).toBe("service account token has been invalidated");
  });
});

describe("tokens in Secrets", () => {
  const claims = (uid: string): JsonObject => ({
    iss: "kubernetes/serviceaccount",
    "kubernetes.io/serviceaccount/namespace": "default",
    "kubernetes.io/serviceaccount/secret.name": "s",
    "kubernetes.io/serviceaccount/service-account.name": "robot",
    "kubernetes.io/serviceaccount/service-account.uid": uid,
    sub: "system:serviceaccount:default:robot",
  });
  const signed = (body: JsonObject): string => {
    const text = [{ alg: "ES256", kid: signer.keyId }, body]
      .map((part) => toBase64Url(new TextEncoder().encode(JSON.stringify(part))))
      .join(".");
    return `${text}.${toBase64Url(signer.sign(text))}`;
  };

  it("are valid as long as the Secret has them", async () => {
    const server = await stage();
    const uid = await create(server, "serviceaccounts", { metadata: { name: "robot" } });
    const token = signed(claims(uid));
    expect(await review(server, token)).toBe("Token has been invalidated");
    await create(server, "secrets", { metadata: { name: "s" }, stringData: { token } });
    expect(await review(server, token)).toBe(true);
    expect((await server.call("GET", `${core}/pods`, undefined, { authorization: `Bearer ${token}` })).object["message"]).toContain(
      'User "system:serviceaccount:default:robot" cannot list resource "pods"',
    );
    await server.call(
      "PATCH",
      `${core}/secrets/s`,
      { metadata: { labels: { "kubernetes.io/legacy-token-invalid-since": "2026-01-01" } } },
      {
        "content-type": "application/merge-patch+json",
      },
    );
    expect(await review(server, token)).toContain(
      "the token in secret default/s for service account default/robot has been marked invalid",
    );
    await server.call("PUT", `${core}/secrets/s`, { metadata: { name: "s" }, stringData: { token: signed({ ...claims(uid), more: 1 }) } });
    expect(await review(server, token)).toBe("Token does not match server's copy");
  });

  it("must name their Secret and their account", async () => {
    const server = await stage();
    const without = (name: string): JsonObject => ({ ...claims("u"), [name]: "" });
    expect(await review(server, signed(without("sub")))).toBe("sub claim is missing");
    expect(await review(server, signed(without("kubernetes.io/serviceaccount/secret.name")))).toBe("secretName claim is missing");
    expect(await review(server, signed({ ...claims("u"), sub: "system:serviceaccount:default:other" }))).toBe("sub claim is invalid");
  });
});
