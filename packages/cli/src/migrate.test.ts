import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, nodeRuntime } from "drover";
import type { Connection } from "drover";
import { ClusterRole, ClusterRoleBinding, CustomResourceDefinition } from "drover/kinds";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MigrateOptions } from "./command-line.ts";
import { localKubeconfig } from "./local-kubeconfig.ts";
import { startLocalServer } from "./local-server.ts";
import { readManifest } from "./manifest-file.ts";
import { migrate } from "./migrate.ts";

const versions = (storage: string, hasRule = false): CustomResourceDefinition["spec"]["versions"] =>
  ["v1", "v2"].map((name) => ({
    name,
    served: true,
    storage: name === storage,
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: { type: "object", properties: { size: { type: "integer" } } },
        },
        // A rule about the whole object, which also holds for unchanged ones.
        ...(hasRule ? { "x-kubernetes-validations": [{ rule: "self.metadata.name != 'bad'", message: "bad is not allowed" }] } : {}),
      },
    },
  }));

describe("drover migrate", () => {
  let folder = "";
  let kubeconfig = "";
  let cluster: Connection;
  let said = "";
  const ending = new AbortController();
  let running: Promise<void>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "drover-migrate-"));
    const server = await startLocalServer({
      host: "127.0.0.1",
      port: 0,
      anonymous: false,
      authorizationModes: ["Node", "RBAC"],
      runtime: nodeRuntime({ write: () => undefined }),
    });
    running = server.run(ending.signal);
    kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, localKubeconfig(server, process.pid));
    cluster = await connect({ kubeconfig });
  });
  afterAll(async () => {
    await cluster.close();
    ending.abort();
    await running;
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => void (said = ""));

  const run = (
    options: Partial<MigrateOptions> = {},
    place: { readonly isTerminal?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<void> =>
    migrate(
      { definitions: [], isDryRun: false, chunkSize: 2, kubeconfig, context: undefined, ...options },
      { write: (text) => void (said += text), isTerminal: false, signal: ending.signal, settleMs: 0, ...place },
    );

  /** A definition whose objects are stored in v1, and that stores v2 since. */
  async function moved(plural: string, names: readonly string[], hasRule = false): Promise<string> {
    const name = `${plural}.ex.io`;
    const kind = plural === "boxes" ? "Box" : "Crate";
    await cluster.client.create(CustomResourceDefinition, {
      metadata: { name },
      spec: { group: "ex.io", scope: "Cluster", names: { plural, kind }, versions: versions("v1") },
    });
    const objects = await cluster.dynamic({ group: "ex.io", kind, version: "v1" });
    for (const each of names) await objects.create({ apiVersion: "ex.io/v1", kind, metadata: { name: each } });
    await cluster.client.patch(CustomResourceDefinition, name, { type: "merge", body: { spec: { versions: versions("v2", hasRule) } } });
    return name;
  }
  const stored = async (name: string): Promise<unknown> =>
    (await cluster.client.get(CustomResourceDefinition, name)).status?.storedVersions;

  it("checks in a dry run, migrates, and has nothing to do the next time", async () => {
    const name = await moved("boxes", ["a", "b", "c"]);
    await run({ definitions: [name], isDryRun: true });
    expect(said).toBe(`${name}\n  3 objects\n  dry run: nothing was written; v1 can be migrated to v2\n`);
    expect(await stored(name)).toEqual(["v1", "v2"]);
    said = "";
    await run({});
    expect(said).toBe(`${name}\n  3 objects, 3 written\n  all objects are stored in v2; v1 can be removed from spec.versions\n`);
    expect(await stored(name)).toEqual(["v2"]);
    said = "";
    await run({ definitions: [name, name] });
    expect(said).toBe(`${name}\n  nothing to do: all objects are stored in v2\n`);
    said = "";
    await run({});
    expect(said).toBe("Nothing to migrate: every definition has one stored version.\n");
  });

  it("names failed objects and migrates the other definitions", async () => {
    await cluster.client.delete(CustomResourceDefinition, "boxes.ex.io");
    await moved("boxes", ["a", "bad"], true);
    await moved("crates", ["a"]);
    await expect(run({ definitions: ["boxes.ex.io", "crates.ex.io", "none.ex.io"] })).rejects.toThrow(
      "2 of 3 definitions not migrated; the output tells why. It is safe to run it again",
    );
    expect(said).toBe(
      [
        "boxes.ex.io",
        '  failed bad: Box.ex.io "bad" is invalid: <nil>: Invalid value: bad is not',
        "  allowed",
        "  2 objects, 1 written, 1 failed",
        "  status.storedVersions still has v1",
        "crates.ex.io",
        "  1 object, 1 written",
        "  all objects are stored in v2; v1 can be removed from spec.versions",
        "none.ex.io",
        "  failed: this cluster has no CustomResourceDefinition none.ex.io; for",
        "  built-in resources a cluster must serve StorageVersionMigration of",
        "  storagemigration.k8s.io/v1beta1, and this one does not",
        "",
      ].join("\n"),
    );
    expect([await stored("boxes.ex.io"), await stored("crates.ex.io")]).toEqual([["v1", "v2"], ["v2"]]);
  });

  it("needs the permissions that the README lists, and no others", async () => {
    const readme = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");
    const role = /```yaml\n([^`]*kind: ClusterRole\n[^`]*)```/.exec(readme)?.[1] ?? "";
    writeFileSync(join(folder, "role.yaml"), role);
    const [documented] = readManifest(join(folder, "role.yaml")) as unknown as readonly ClusterRole[];
    const rules = documented?.rules?.map((rule) =>
      rule.apiGroups?.includes("shop.example.com") === true ? { ...rule, apiGroups: ["ex.io"], resources: ["crates"] } : rule,
    );
    await cluster.client.create(ClusterRole, { metadata: { name: "migrate" }, rules: rules ?? [] });
    await cluster.client.create(ClusterRoleBinding, {
      metadata: { name: "migrate" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "migrate" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "migrator" }],
    });
    const restricted = join(folder, "restricted");
    writeFileSync(restricted, readFileSync(kubeconfig, "utf8").replace(/(?=client-certificate-data: )/, "as: migrator\n    "));
    await cluster.client.delete(CustomResourceDefinition, "crates.ex.io");
    await moved("crates", ["a", "b"]);
    await run({ definitions: ["crates.ex.io"], kubeconfig: restricted });
    expect(said).toContain("2 objects, 2 written");
    said = "";
    await expect(run({ definitions: ["boxes.ex.io"], kubeconfig: restricted })).rejects.toThrow("boxes.ex.io not migrated");
    expect(said).toContain('User "migrator" cannot list');
  });

  it("shows the progress on a terminal, and only there", async () => {
    await run({ definitions: ["crates.ex.io"] }, { isTerminal: true });
    expect(said).toContain("\r\u001b[K  waiting until all servers use the storage version");
    expect(said.endsWith("\r\u001b[K  nothing to do: all objects are stored in v2\n")).toBe(true);
  });

  it("reports an interruption and a cluster that cannot be reached", async () => {
    await expect(run({ definitions: ["boxes.ex.io"] }, { signal: AbortSignal.abort() })).rejects.toThrow(
      "interrupted; the definition keeps its stored versions. Run drover migrate again to continue",
    );
    await expect(run({ context: "other" })).rejects.toThrow(/^cannot read the definitions of the cluster: .*other/);
  });
});
