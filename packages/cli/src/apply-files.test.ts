import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiServer } from "@drover/apiserver";
import type { ApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { ConfigMap } from "@drover/api/core/v1";
import { createClient } from "@drover/client";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyFiles, applyLate } from "./apply-files.ts";
import type { LateObject } from "./apply-files.ts";

describe("applyFiles", () => {
  let folder = "";
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "drover-apply-"))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const runtime = nodeRuntime({ write: () => undefined });
  const { signal } = new AbortController();

  it("applies objects in order from files and folders, with kubectl's last-applied annotation", async () => {
    const server = await createApiServer({ runtime, host: nodeHost });
    writeFileSync(
      join(folder, "b.yaml"),
      "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b, namespace: shop }\n---\n# nothing\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n",
    );
    writeFileSync(join(folder, "a.json"), JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } }));
    writeFileSync(join(folder, "notes.txt"), "not read");
    await applyFiles([folder], { transport: server.handle, runtime, signal, mayWait: false });
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
    await applyFiles([join(folder, "a.json")], { transport: server.handle, runtime, signal, mayWait: false });
    const client = createClient({ ...runtime, transport: server.handle, namespace: "default" });
    expect((await client.get(ConfigMap, "a")).data).toEqual({ smile: "😀", twice: "2" });
    server.close();
  });

  it("reports the file and the problem of an invalid object", async () => {
    const server = await createApiServer({ runtime, host: nodeHost });
    const problem = async (text: string): Promise<string> => {
      writeFileSync(join(folder, "x.yaml"), text);
      return await applyFiles([join(folder, "x.yaml")], { transport: server.handle, runtime, signal, mayWait: false }).then(
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
    await expect(applyFiles([join(folder, "none")], { transport: server.handle, runtime, signal, mayWait: false })).rejects.toThrow(
      "no such file or folder",
    );
    server.close();
  });
});

describe("applyLate", () => {
  let folder = "";
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "drover-apply-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w", namespace: "default" } };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  };

  async function scene(): Promise<{
    readonly runtime: TestRuntime;
    readonly server: ApiServer;
    readonly said: string[];
    readonly late: readonly LateObject[];
    readonly place: Parameters<typeof applyLate>[1];
  }> {
    const runtime = testRuntime();
    const server = await createApiServer({ runtime, host: nodeHost });
    const file = join(folder, "w.json");
    writeFileSync(file, JSON.stringify(widget));
    const said: string[] = [];
    const place = { transport: server.handle, runtime, signal: new AbortController().signal };
    const late = await applyFiles([file], { ...place, mayWait: true });
    return {
      runtime,
      server,
      said,
      late,
      place: { ...place, report: ({ did }) => said.push(did), warn: (message) => said.push(message.replace(folder, "")) },
    };
  }

  it("says that it waits, and applies the object when its kind exists", async () => {
    const { runtime, server, said, late, place } = await scene();
    const applying = applyLate(late, place);
    await runtime.clock.advance(2000);
    await server.handle({
      method: "POST",
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(definition),
    });
    await runtime.clock.advance(30_000);
    await applying;
    expect(said).toEqual(["waits up to 1m0s for Widget of example.com/v1: no CustomResourceDefinition has it yet"]);
    const path = "/apis/example.com/v1/namespaces/default/widgets/w";
    expect((await server.handle({ method: "GET", path, headers: {} })).status).toBe(200);
    server.close();
  });

  it("gives up after a minute with a warning that names the fix", async () => {
    const { runtime, server, said, late, place } = await scene();
    const applying = applyLate(late, place);
    await runtime.clock.advance(62_000);
    await applying;
    expect(said[1]).toMatch(
      /^\/w\.json: Widget w cannot be applied: no matches for kind "Widget"[^]*operator that installs it with --run$/,
    );
    server.close();
  });

  it("ends with the signal", async () => {
    const { server, said, late, place } = await scene();
    const ending = new AbortController();
    const applying = applyLate(late, { ...place, signal: ending.signal });
    ending.abort();
    await applying;
    expect(said).toHaveLength(1);
    server.close();
  });
});
