import type { HttpHeaders } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

const base = "/apis/flowcontrol.apiserver.k8s.io/v1";
const tokens = [
  { token: "alice", user: { name: "alice", groups: [] } },
  { token: "robot", user: { name: "system:serviceaccount:kube-system:robot", groups: ["system:serviceaccounts"] } },
];

async function nameOf(server: TestServer, headers: HttpHeaders): Promise<readonly (string | undefined)[]> {
  const names: (string | undefined)[] = [];
  for (const [plural, header] of [
    ["flowschemas", "x-kubernetes-pf-flowschema-uid"],
    ["prioritylevelconfigurations", "x-kubernetes-pf-prioritylevel-uid"],
  ] as const) {
    const { items } = (await server.call("GET", `${base}/${plural}`)).object as unknown as {
      items: { metadata: { uid: string; name: string } }[];
    };
    names.push(items.find(({ metadata }) => metadata.uid === headers[header])?.metadata.name);
  }
  return names;
}

describe("the headers of priority and fairness", () => {
  const classified = async (server: TestServer, path: string, token?: string): Promise<readonly (string | undefined)[]> => {
    const { headers } = await server.call("GET", path, undefined, token === undefined ? {} : { authorization: `Bearer ${token}` });
    return await nameOf(server, headers);
  };

  it("name the flow schema and priority level of the user", async () => {
    const server = await testServer({ tokens });
    expect(await classified(server, "/api/v1/pods")).toEqual(["exempt", "exempt"]);
    expect(await classified(server, "/api/v1/pods", "alice")).toEqual(["global-default", "global-default"]);
    expect(await classified(server, "/readyz", "alice")).toEqual(["probes", "exempt"]);
    expect(await classified(server, "/api/v1/pods", "robot")).toEqual(["kube-system-service-accounts", "workload-high"]);
    expect(await classified(server, "/api/v1/nopes", "robot")).toEqual(["kube-system-service-accounts", "workload-high"]);
  });

  it("follow every write at once, also after a compaction", async () => {
    const server = await testServer({ tokens });
    expect(await classified(server, "/version", "alice")).toEqual(["global-default", "global-default"]);
    await server.compact();
    const made = await server.call("POST", `${base}/flowschemas`, {
      metadata: { name: "mine" },
      spec: {
        matchingPrecedence: 50,
        priorityLevelConfiguration: { name: "system" },
        rules: [
          { subjects: [{ kind: "User", user: { name: "alice" } }], nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["/version"] }] },
        ],
      },
    });
    expect(made.status).toBe(201);
    expect(await classified(server, "/version", "alice")).toEqual(["mine", "system"]);
    await server.call("DELETE", `${base}/flowschemas/mine`);
    expect(await classified(server, "/version", "alice")).toEqual(["global-default", "global-default"]);
  });

  it("are missing without a user, and for streams", async () => {
    const server = await testServer({ tokens });
    expect(await classified(server, "/version", "wrong")).toEqual([undefined, undefined]);
    expect(await classified(server, "/api/v1/namespaces/default/pods/nope/log")).toEqual([undefined, undefined]);
    const { headers } = await server.handle({ method: "GET", path: "/api/v1/pods?watch=true", headers: {} });
    expect(await nameOf(server, headers)).toEqual(["exempt", "exempt"]);
  });
});
