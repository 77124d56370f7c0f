import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeRuntime } from "drover";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandError } from "./command-error.ts";
import { listDefinitions, readDefinitions } from "./definitions.ts";
import { localKubeconfig } from "./local-kubeconfig.ts";
import { startLocalServer } from "./local-server.ts";

describe("readDefinitions and listDefinitions", () => {
  let folder = "";
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "drover-definitions-"))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const file = (text: string): string => {
    writeFileSync(join(folder, "a.yaml"), text);
    return join(folder, "a.yaml");
  };

  it("find definitions among other objects and in lists", () => {
    const crd = "{ apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: { name: A } }";
    const found = readDefinitions([file(`kind: Pod\napiVersion: v1\n---\n${crd}\n---\nkind: List\nitems: [${crd}, { kind: Pod }]\n`)]);
    expect(found).toHaveLength(2);
  });

  it("report files without a definition by name", () => {
    expect(() => readDefinitions([file("kind: Pod")])).toThrow(`${join(folder, "a.yaml")} contains no CustomResourceDefinition`);
    expect(() => readDefinitions([file("a: [")])).toThrow(/a\.yaml cannot be read: yaml: line \d/);
    expect(() => readDefinitions([join(folder, "b.yaml")])).toThrow(CommandError);
    expect(() => readDefinitions([join(folder, "b.yaml")])).toThrow("b.yaml cannot be read: ENOENT");
  });

  it("list the definitions of a cluster, and report one that cannot be reached", async () => {
    const server = await startLocalServer({
      host: "127.0.0.1",
      port: 0,
      anonymous: false,
      authorizationModes: ["Node", "RBAC"],
      runtime: nodeRuntime({ write: () => undefined }),
    });
    const ending = new AbortController();
    const running = server.run(ending.signal);
    const kubeconfig = file(localKubeconfig(server, process.pid));
    expect(await listDefinitions({ kubeconfig, context: undefined }, ending.signal)).toEqual([]);
    await expect(listDefinitions({ kubeconfig, context: "other" }, ending.signal)).rejects.toThrow(
      /^cannot list the definitions of the cluster: .*other/,
    );
    ending.abort();
    await running;
    await expect(listDefinitions({ kubeconfig, context: undefined }, ending.signal)).rejects.toThrow(
      "interrupted before all definitions were listed; nothing was written",
    );
  });
});
