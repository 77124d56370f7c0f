import { describe, expect, it } from "vitest";
import { parseKubeconfig } from "./kubeconfig-text.ts";
import { memoryHost } from "../testing/memory-host.ts";
import { resolveKubeconfigPaths } from "./resolve-paths.ts";

const written = `
clusters:
- { name: rel, cluster: { certificate-authority: certs/../ca.crt } }
- { name: abs, cluster: { certificate-authority: /etc/ca.crt } }
- { name: none, cluster: { certificate-authority: "" } }
users:
- { name: files, user: { client-certificate: ./c.crt, client-key: ../k.key, tokenFile: t, exec: { command: ./bin/login } } }
- { name: path, user: { exec: { command: login } } }
`;

describe("resolveKubeconfigPaths", () => {
  it("resolves relative paths against their file, and keeps absolute ones and programs of PATH", () => {
    const { clusters, users } = resolveKubeconfigPaths(memoryHost(), parseKubeconfig(written, { file: "/home/ada/.kube/config" }));
    expect(clusters.map(({ cluster }) => cluster["certificate-authority"])).toEqual(["/home/ada/.kube/ca.crt", "/etc/ca.crt", ""]);
    expect(users[0]?.user).toMatchObject({
      "client-certificate": "/home/ada/.kube/c.crt",
      "client-key": "/home/ada/k.key",
      tokenFile: "/home/ada/.kube/t",
      exec: { command: "/home/ada/.kube/bin/login" },
    });
    expect(users[1]?.user.exec?.command).toBe("login");
  });

  it("resolves a relative file against the working directory, so that ./login never becomes a program of PATH", () => {
    const { users } = resolveKubeconfigPaths(
      memoryHost(),
      parseKubeconfig("users: [{ name: a, user: { exec: { command: ./login } } }]", { file: "config" }),
    );
    expect(users[0]?.user.exec?.command).toBe("/srv/login");
  });

  it("keeps entries without a file unchanged", () => {
    const config = parseKubeconfig(written);
    expect(resolveKubeconfigPaths(memoryHost(), config)).toEqual(config);
  });
});
