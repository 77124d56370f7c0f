import { ConfigMap, Secret } from "@drover/api/core/v1";
import type { PlannedRun } from "@drover/controller";
import { isNotFound, objectKey } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { afterEach, describe, expect, it } from "vitest";
import { createOperator, hold } from "../index.ts";
import type { Operator } from "../index.ts";
import { onlyDryRuns } from "./only-dry-runs.ts";
import { operatorScene } from "./operator-scene.ts";
import type { OperatorScene } from "./operator-scene.ts";

type Desired = Readonly<Record<"copy" | "secret", unknown>>;

describe("the plan of an object", () => {
  let running: OperatorScene;
  let reconciles = 0;
  /** What the code of the operator desires: tests change it, as a new version of the operator would. */
  let desired: () => Desired = () => ({ copy: undefined, secret: undefined });
  afterEach(() => running.end());

  const app = (): Operator => {
    const created = createOperator({ name: "planned" });
    created.controller(ConfigMap, {
      name: "maps",
      when: ({ metadata: { labels } }) => labels?.["planned"] === "yes",
      owns: { copy: ConfigMap, secret: Secret },
      desired: () => desired() as never,
      reconcile: () => void reconciles++,
    });
    return created;
  };
  const start = async (first: () => Desired, labels = { planned: "yes" }): Promise<void> => {
    desired = first;
    running = await operatorScene(app());
    await running.client.create(ConfigMap, { metadata: { name: "web", labels } });
    await running.settle(1000);
  };
  const plan = (name = "web"): Promise<PlannedRun | undefined> => {
    const [controller] = running.run.debugged.controllers;
    return controller?.plan?.(objectKey(name, "default"), new AbortController().signal) ?? Promise.resolve(undefined);
  };
  const copy = (size: string): Desired => ({ copy: { metadata: { name: "copy" }, data: { size } }, secret: undefined });

  it("is empty if the cluster is as desired, and calls no reconcile", async () => {
    await start(() => copy("1"));
    const before = reconciles;
    expect(await plan()).toEqual({ writes: [], unchanged: 1, held: [], errors: [] });
    expect(reconciles).toBe(before);
  });

  it("names the fields that another version of the code would change, and changes nothing", async () => {
    await start(() => copy("1"));
    desired = () => copy("2");
    expect(await plan()).toEqual({
      writes: [
        {
          kind: "ConfigMap",
          key: "default/copy",
          type: "patched",
          fields: [{ path: "data[size]", before: '"1"', after: '"2"' }],
          fieldCount: 1,
        },
      ],
      unchanged: 0,
      held: [],
      errors: [],
    });
    const live = await running.client.get(ConfigMap, "copy");
    expect(live.data).toEqual({ size: "1" });
    await running.settle(60_000);
    expect((await running.client.get(ConfigMap, "copy")).metadata.resourceVersion).toBe(live.metadata.resourceVersion);
  });

  it("names objects that would be created and deleted, without values of Secrets", async () => {
    await start(() => copy("1"));
    desired = () => ({ copy: undefined, secret: { metadata: { name: "new" }, stringData: { password: "canary-7" } } });
    const planned = await plan();
    expect(planned?.writes.map(({ type, kind, key }) => [type, kind, key])).toEqual([
      ["created", "Secret", "default/new"],
      ["deleted", "ConfigMap", "default/copy"],
    ]);
    expect(planned?.writes[0]?.fields).not.toEqual([]);
    expect(JSON.stringify(planned)).not.toMatch(/canary-7|Y2FuYXJ5/);
    expect((await running.client.get(ConfigMap, "copy")).data).toEqual({ size: "1" });
    expect(isNotFound(await running.client.get(Secret, "new").catch((error: unknown) => error))).toBe(true);
  });

  it("tells held slots, what the server refuses, and what the code throws", async () => {
    await start(() => copy("1"));
    desired = () => ({ copy: hold("waits for a name"), secret: undefined });
    expect(await plan()).toMatchObject({ writes: [], held: ["copy: waits for a name"] });
    desired = () => ({ copy: { metadata: { name: "Not A Name" } }, secret: undefined });
    expect((await plan())?.errors).toEqual([expect.stringContaining("Not A Name")]);
    desired = () => {
      throw new RangeError("no such size");
    };
    expect(await plan()).toMatchObject({ writes: [], errors: [expect.stringContaining("no such size") as string] });
  });

  it("says why an object is skipped", async () => {
    await start(() => copy("1"), { planned: "no" });
    expect(await plan()).toMatchObject({ skipped: expect.stringContaining("when of the controller returns false") as string, writes: [] });
    expect(await plan("none")).toMatchObject({ skipped: "it does not exist" });
  });
});

describe("onlyDryRuns", () => {
  it("passes reads and dry runs, and rejects every write", async () => {
    const passed: string[] = [];
    const next: Transport = ({ method, path }) => {
      passed.push(`${method} ${path}`);
      return Promise.resolve({ status: 200, headers: {}, body: "" });
    };
    const send = (method: string, path: string, body?: string): unknown =>
      onlyDryRuns(next)({ method, path, headers: {}, ...(body === undefined ? {} : { body }) });
    await send("GET", "/api/v1/pods");
    await send("PATCH", "/api/v1/pods/a?fieldManager=x&dryRun=All");
    await send("DELETE", "/api/v1/pods/a", '{"dryRun":["All"]}');
    for (const [method, path, body] of [
      ["PATCH", "/api/v1/pods/a?fieldManager=x"],
      ["DELETE", "/api/v1/pods/a?dryRun="],
      ["POST", "/api/v1/pods/dryRun=All"],
      ["DELETE", "/api/v1/pods/a", '{"dryRun":[]}'],
      ["PATCH", "/api/v1/pods/a", '{"dryRun":["All"]}'],
    ] as const)
      await expect(send(method, path, body)).rejects.toThrow(`a plan must not write, but would send ${method} /api/v1/pods`);
    expect(passed).toEqual(["GET /api/v1/pods", "PATCH /api/v1/pods/a?fieldManager=x&dryRun=All", "DELETE /api/v1/pods/a"]);
  });
});
