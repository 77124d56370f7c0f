import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, defineResource, nodeHost, nodeRuntime, operator } from "drover";
import { ConfigMap } from "drover/kinds";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { up } from "./up.ts";

const Widget = defineResource({ group: "demo.example.com", version: "v1", kind: "Widget", spec: z.object({ size: z.int() }) });

function widgets(): ReturnType<typeof operator> {
  const app = operator({ name: "widget-operator" });
  app.controller(Widget, {
    owns: { copy: ConfigMap },
    desired: ({ object }) => ({ copy: { metadata: { name: object.metadata.name }, data: { size: String(object.spec.size) } } }),
  });
  return app;
}

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "drover-story-"))));
afterEach(() => rmSync(folder, { recursive: true }));

it("drover up prints which change caused the writes of an operator, names its kinds, and applies objects of kinds that it installs", async () => {
  const [kubeconfig, manifest] = [join(folder, "config"), join(folder, "w.json")];
  writeFileSync(
    manifest,
    JSON.stringify({ apiVersion: "demo.example.com/v1", kind: "Widget", metadata: { name: "w", namespace: "default" }, spec: { size: 1 } }),
  );
  const ending = new AbortController();
  const lines: Record<string, unknown>[] = [];
  const waiting: { readonly isIt: (line: Record<string, unknown>) => boolean; readonly resolve: () => void }[] = [];
  const running = up(
    {
      host: "127.0.0.1",
      port: 0,
      anonymous: false,
      authorizationModes: ["Node", "RBAC"],
      enableAdmissionPlugins: [],
      disableAdmissionPlugins: [],
      nodes: 1,
      instant: true,
      apply: [manifest],
      // Its operator runs in this process.
      run: ["true"],
      greeting: undefined,
      output: "json",
      audit: undefined,
      data: undefined,
      etcd: undefined,
      kubeconfig,
    },
    {
      signal: ending.signal,
      warn: (message) => expect.unreachable(message),
      hasColor: false,
      write: (text) => {
        for (const line of text.trim().split("\n")) {
          const parsed = JSON.parse(line) as Record<string, unknown>;
          lines.push(parsed);
          for (const { isIt, resolve } of waiting) if (isIt(parsed)) resolve();
        }
      },
    },
  );
  const line = (isIt: (printed: Record<string, unknown>) => boolean): Promise<void> =>
    lines.some(isIt) ? Promise.resolve() : Promise.race([running, new Promise<void>((resolve) => waiting.push({ isIt, resolve }))]);
  await line(({ ready }) => ready === true);
  const host = { ...nodeHost(), env: { DROVER_BECAUSE: "1" } };
  const runtime = nodeRuntime({ write: () => undefined });
  const operating = widgets().run({ cluster: { kubeconfig, userAgent: "widgets/1" }, runtime, host, signal: ending.signal });
  await line(({ who, kind }) => who === "widgets" && kind === "ConfigMap");
  const cluster = await connect({ kubeconfig, userAgent: "person/1", fieldManager: "person" });
  await cluster.client.patch(Widget, "w", { type: "merge", body: { spec: { size: 2 } } }, { namespace: "default" });
  await line(({ who, kind, why = "" }) => who === "widgets" && kind === "ConfigMap" && String(why).includes("spec.size"));
  await cluster.close();
  ending.abort();
  await Promise.all([operating, running]);
  const told = lines.map(({ who, did, kind, names, why }) =>
    [who, did, kind, names, why]
      .flat()
      .filter((part) => typeof part === "string")
      .join(" "),
  );
  expect(told).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^drover-up waits up to 1m0s for Widget of demo\.example\.com\/v1/),
      "drover-up applied Widget default/w",
      "person changed Widget default/w",
      expect.stringMatching(/^widgets (?:created|applied|changed) ConfigMap default\/w Widget default\/w (?:exists|was created)/),
      expect.stringMatching(/^widgets (?:applied|changed) ConfigMap default\/w Widget default\/w was changed by person: spec\.size 1 → 2/),
    ]),
  );
}, 120_000);
