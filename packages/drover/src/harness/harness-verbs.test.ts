import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap, Namespace } from "@drover/api/core/v1";
import { createEventBroadcaster } from "@drover/controller";
import { isNotFound } from "@drover/machinery";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { HarnessApp } from "./harness-app.ts";
import { harness } from "./harness.ts";

const withoutControllers: HarnessApp = () => ({
  controllers: [],
  run: (signal) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve());
    }),
});
const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web" }] } };

describe("harnessVerbs", () => {
  it("call the client in the harness's namespace", async () => {
    await using t = await harness(withoutControllers);
    const made = await t.create(ConfigMap, { metadata: { name: "a" }, data: { x: "1" } });
    expectTypeOf(made).toEqualTypeOf<ConfigMap>();
    await t.update(ConfigMap, { ...made, data: { x: "2" } });
    await t.patch(ConfigMap, "a", { data: { y: "3" } });
    await t.apply(ConfigMap, { metadata: { name: "b" }, data: { z: "4" } });
    expect(
      (await t.list(ConfigMap)).map(({ metadata: { name }, data }) => [name, data]).filter(([name]) => name !== "kube-root-ca.crt"),
    ).toEqual([
      ["a", { x: "2", y: "3" }],
      ["b", { z: "4" }],
    ]);
    await t.create(Namespace, { metadata: { name: "other" } });
    await t.create(ConfigMap, { metadata: { name: "c" } }, { namespace: "other" });
    expect((await t.get(ConfigMap, "c", { namespace: "other" })).metadata.namespace).toBe("other");
    await t.delete(ConfigMap, "a");
    await expect(t.get(ConfigMap, "a")).rejects.toSatisfy(isNotFound);
    // @ts-expect-error -- a namespace is in no namespace
    await t.getOrUndefined(Namespace, "x", { namespace: "y" }).catch(() => undefined);
  });

  it("status merges into the existing status", async () => {
    await using t = await harness(withoutControllers);
    await t.create(Deployment, { metadata: { name: "web" }, spec: { selector: { matchLabels: { app: "web" } }, template } });
    await t.status(Deployment, "web", { replicas: 2 });
    await t.status(Deployment, "web", { readyReplicas: 1 });
    expect((await t.get(Deployment, "web")).status).toMatchObject({ replicas: 2, readyReplicas: 1 });
    // @ts-expect-error -- a ConfigMap has no status
    await expect(t.status(ConfigMap, "web", {})).rejects.toThrow();
  });

  it("events returns the Events of the object, not of others with its name", async () => {
    const tell: HarnessApp = ({ runtime, transport }) => ({
      controllers: [],
      run: async (signal) => {
        const { createClient } = await import("@drover/client");
        const client = createClient({ ...runtime, transport, namespace: "default" });
        const events = createEventBroadcaster({ ...runtime, client });
        const web = await client.create(ConfigMap, { metadata: { name: "told" } });
        const recorder = events.recorder({ controller: "test.example.com/teller", instance: "one" });
        recorder.eventf({ regarding: web, type: "Normal", reason: "Seen", action: "Look", note: "there it is" });
        await events.run(signal);
      },
    });
    await using t = await harness(tell);
    await t.settled();
    const told = await t.get(ConfigMap, "told");
    expect((await t.events(told)).map(({ reason, note }) => `${reason}: ${note}`)).toEqual(["Seen: there it is"]);
    expect(await t.events({ ...told, metadata: { ...told.metadata, uid: "another" } })).toEqual([]);
  });
});
