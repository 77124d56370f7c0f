import { describe, expect, it } from "vitest";
import { formatPem } from "@drover/machinery/x509";
import { testServer } from "../testing/test-server.ts";

/** One DER element of less than 128 bytes. */
const der = (tag: number, ...content: readonly number[]): number[] => [tag, content.length, ...content];
const requestFor = (organization: string): string => {
  const organizationId = der(0x06, 0x55, 0x04, 0x0a);
  const name = der(0x31, ...der(0x30, ...organizationId, ...der(0x0c, ...new TextEncoder().encode(organization))));
  const info = der(0x30, ...der(0x02, 0), ...der(0x30, ...name), ...der(0x30), ...der(0xa0));
  return btoa(formatPem("CERTIFICATE REQUEST", Uint8Array.from(der(0x30, ...info, ...der(0x30), ...der(0x03, 0, 1)))));
};
const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const csr = (name: string, signerName: string, organization: string) => ({
  metadata: { name },
  spec: { signerName, request: requestFor(organization), usages: ["client auth"] },
});
const patch = { "content-type": "application/merge-patch+json" };
const condition = (type: string) => ({ status: { conditions: [{ type, status: "True", reason: "r", message: "m" }] } });

describe("the certificate plug-ins", () => {
  it("refuse administrators from the API server's own signer", async () => {
    const { call } = await testServer();
    const { status, object } = await call("POST", path, csr("a", "kubernetes.io/kube-apiserver-client", "system:masters"));
    expect([status, object["message"]]).toEqual([
      403,
      'certificatesigningrequests.certificates.k8s.io "a" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
    ]);
    expect((await call("POST", path, csr("a", "kubernetes.io/kube-apiserver-client", "dev"))).status).toBe(201);
    expect((await call("POST", path, csr("b", "example.com/s", "system:masters"))).status).toBe(201);
  });

  it("ask the authorizer for the signer, then for its domain, before an approval and before a signature", async () => {
    const asked: string[] = [];
    const { call } = await testServer({
      authorizer: {
        authorize: ({ verb, resource, name }) => {
          if (resource === "signers") asked.push(`${verb} ${name}`);
          return Promise.resolve({ decision: resource === "signers" ? "no-opinion" : "allow" });
        },
        rulesFor: () => Promise.resolve({ resourceRules: [], nonResourceRules: [], incomplete: false }),
      },
    });
    await call("POST", path, csr("a", "example.com/s", "dev"));
    const approve = await call("PATCH", `${path}/a/approval`, condition("Approved"), patch);
    expect([approve.status, approve.object["message"]]).toEqual([
      403,
      'certificatesigningrequests.certificates.k8s.io "a" is forbidden: user not permitted to approve requests with signerName "example.com/s"',
    ]);
    const sign = await call("PATCH", `${path}/a/status`, condition("Failed"), patch);
    expect(sign.object["message"]).toContain('user not permitted to sign requests with signerName "example.com/s"');
    expect((await call("PATCH", `${path}/a/status`, { metadata: { labels: { a: "b" } } }, patch)).status).toBe(200);
    expect(asked).toEqual(["approve example.com/s", "approve example.com/*", "sign example.com/s", "sign example.com/*"]);
  });
});
