import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { ConfigMap } from "@drover/api/core/v1";
import { createClient } from "@drover/client";
import { nodeRuntime } from "drover";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyFiles } from "./apply-files.ts";

describe("applyFiles", () => {
  let folder = "";
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "drover-apply-"))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const runtime = nodeRuntime({ write: () => undefined });

  it("applies objects in order from files and folders, with kubectl's last-applied annotation", async () => {
    const server = await createApiServer({ runtime, host: nodeHost });
    writeFileSync(
      join(folder, "b.yaml"),
      "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b, namespace: shop }\n---\n# nothing\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n",
    );
    writeFileSync(join(folder, "a.json"), JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } }));
    writeFileSync(join(folder, "notes.txt"), "not read");
    await applyFiles([folder], { transport: server.handle, runtime });
    const client = createClient({ ...runtime, transport: server.handle, namespace: "default" });
    expect(
      (await client.get(ConfigMap, "b", { namespace: "shop" })).metadata.annotations?.["kubectl.kubernetes.io/last-applied-configuration"],
    ).toBe('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{},"name":"b","namespace":"shop"}}\n');
    expect((await client.get(ConfigMap, "c")).metadata.namespace).toBe("default");
    server.close();
  });

  it("applies JSON with surrogate pairs and duplicate keys, as kubectl does (SEC18)", async () => {
    const server = await createApiServer({ runtime, host: nodeHost });
    const text = String.raw`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"smile":"\ud83d\ude00","twice":"1","twice":"2"}}`;
    writeFileSync(join(folder, "a.json"), text);
    await applyFiles([join(folder, "a.json")], { transport: server.handle, runtime });
    const client = createClient({ ...runtime, transport: server.handle, namespace: "default" });
    expect((await client.get(ConfigMap, "a")).data).toEqual({ smile: "😀", twice: "2" });
    server.close();
  });

  it("reports the file and the problem of an invalid object", async () => {
    const server = await createApiServer({ runtime, host: nodeHost });
    const problem = async (text: string): Promise<string> => {
      writeFileSync(join(folder, "x.yaml"), text);
      return await applyFiles([join(folder, "x.yaml")], { transport: server.handle, runtime }).then(
        () => "none",
        (error: unknown) => (error as Error).message.replace(folder, ""),
      );
    };
    expect(await problem("a: [")).toMatch(/^\/x\.yaml cannot be read: /);
    expect(await problem("just words")).toBe(
      "/x.yaml contains a document that is not a Kubernetes object: apiVersion, kind and metadata are required",
    );
    expect(await problem("apiVersion: v1\nkind: Wdiget\nmetadata: { name: a }")).toMatch(
      /^\/x\.yaml: Wdiget a cannot be applied: no matches for kind "Wdiget"/,
    );
    expect(await problem("apiVersion: v1\nkind: ConfigMap\nmetadata: { name: A_ }")).toMatch(
      /^\/x\.yaml: ConfigMap A_ cannot be applied: .*is invalid/,
    );
    await expect(applyFiles([join(folder, "none")], { transport: server.handle, runtime })).rejects.toThrow("no such file or folder");
    server.close();
  });
});
