/** Mistakes of newcomers, and the messages they get: what is wrong, where, and the code that fixes it. Each fits on one screen. */
import { alwaysAllow } from "@drover/apiserver";
import type { Attributes, Authorizer } from "@drover/apiserver";
import { ConfigMap, Secret } from "@drover/api/core/v1";
import { Deployment } from "@drover/api/apps/v1";
import { Event } from "@drover/api/events/v1";
import { isStatusConditionTrue, objectKey } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { createOperator, defineResource, installResource, many, MistakeError } from "../index.ts";
import type { ControllerDeclaration, Operator } from "../index.ts";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { operatorScene, operatorUser } from "./operator-scene.ts";
import type { OperatorScene, SceneOptions } from "./operator-scene.ts";

const WebApp = defineResource({
  group: "demo.drover.dev",
  version: "v1",
  kind: "WebApp",
  spec: z.object({ image: z.string() }),
  status: z.object({ ready: z.int().default(0) }),
});

let scene: OperatorScene | undefined;
afterEach(async () => {
  await scene?.end();
  scene = undefined;
});

/** Starts the operator, creates one object and lets time pass for some attempts. */
async function start(app: Operator, options: SceneOptions = {}): Promise<OperatorScene> {
  scene = await operatorScene(app, options);
  return scene;
}

async function errorsOf(app: Operator): Promise<readonly string[]> {
  const running = await start(app);
  await running.client.create(WebApp, { metadata: { name: "web" }, spec: { image: "shop:1" } });
  await running.settle(500);
  return running.runtime.log.entries.flatMap(({ fields }) => (fields["error"] instanceof Error ? [fields["error"].message] : []));
}

/** A declaration that types would refuse, as JavaScript allows it. */
const untyped = (declaration: object): ControllerDeclaration<KubeObject> => declaration;

function appWith(declaration: object): Operator {
  const app = createOperator({ name: "shop" });
  app.controller(WebApp, untyped(declaration));
  return app;
}

const isOneScreen = (message: string): boolean =>
  message.split("\n").length <= 12 && message.split("\n").every((line) => line.length < 400);

async function expectMistake(app: Operator, ...parts: readonly string[]): Promise<void> {
  const errors = await errorsOf(app);
  expect(errors).not.toEqual([]);
  for (const part of parts) expect(errors[0]).toContain(part);
  expect(errors[0]).toContain("fix: ");
  expect(isOneScreen(errors[0] ?? "")).toBe(true);
}

const thrownBy = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(MistakeError);
    expect(isOneScreen(String(error))).toBe(true);
    return String(error);
  }
  throw new Error("nothing was thrown");
};

describe("mistakes reported when a controller is declared", () => {
  const app = createOperator({ name: "shop" });

  it("an async desired or status", () => {
    expect(thrownBy(() => appWith({ owns: { copy: ConfigMap }, desired: async () => ({ copy: undefined }) }))).toContain(
      "controller of WebApp, desired: desired is async but must be a pure function",
    );
    expect(thrownBy(() => appWith({ status: async () => ({}) }))).toContain("controller of WebApp, status: status is async");
  });

  it("two controllers for one kind, and two of one name", () => {
    app.controller(WebApp, { reconcile: () => undefined });
    expect(thrownBy(() => app.controller(WebApp, { reconcile: () => undefined }))).toContain("a controller for WebApp exists");
    expect(thrownBy(() => app.controller(ConfigMap, { name: "webapp", reconcile: () => undefined }))).toContain(
      'another controller is named "webapp"',
    );
  });

  it("a desired without slots, a controller that does nothing, a status for a kind without one", () => {
    expect(thrownBy(() => appWith({ desired: () => ({}) }))).toContain("owns: { deployment: Deployment }");
    expect(thrownBy(() => appWith({}))).toContain("it does nothing");
    expect(thrownBy(() => app.controller(Secret, untyped({ status: () => ({}) })))).toContain("Secret has no status subresource");
  });

  it("invalid durations, finalizers and names", () => {
    expect(thrownBy(() => appWith({ reconcile: () => undefined, deadline: "5 minutes" }))).toContain(
      'deadline: "5 minutes" is not a valid duration',
    );
    expect(thrownBy(() => appWith({ reconcile: () => undefined, resync: "1ms" }))).toContain("more than once a second");
    expect(thrownBy(() => appWith({ cleanup: () => undefined, finalizer: "release" }))).toContain(
      '"release" is not a valid finalizer name',
    );
    expect(thrownBy(() => createOperator({ name: "My Operator" }))).toContain("is not a DNS label");
    app.index(WebApp, "byImage", ({ spec }) => [spec.image]);
    expect(thrownBy(() => app.index(WebApp, "byImage", () => []))).toContain("an index of this name exists");
  });
});

describe("mistakes in desired", () => {
  it("a promise", () =>
    expectMistake(
      appWith({ owns: { copy: ConfigMap }, desired: () => Promise.resolve({ copy: undefined }) }),
      "controller of WebApp, desired: desired is async",
      "without async and await",
    ));

  it("a missing slot", () =>
    expectMistake(
      appWith({ owns: { copy: ConfigMap, key: Secret }, desired: () => ({ copy: undefined }) }),
      "it returns no value for key",
      'key: hold("why")',
    ));

  it("a slot that `owns` does not declare", () =>
    expectMistake(
      appWith({ owns: { copy: ConfigMap }, desired: () => ({ copy: undefined, kopy: {} }) }),
      "it returns kopy, which is not in owns",
    ));

  it("an object without a name", () =>
    expectMistake(
      appWith({ owns: { copy: ConfigMap }, desired: () => ({ copy: { metadata: { generateName: "x-" } } }) }),
      "slot copy: the object has no metadata.name",
      "metadata: { name: object.metadata.name",
    ));

  it("an object in another namespace", () =>
    expectMistake(
      appWith({ owns: { copy: ConfigMap }, desired: () => ({ copy: { metadata: { name: "x", namespace: "kube-system" } } }) }),
      "x is in namespace kube-system, its owner in default",
    ));

  it("an object of another kind", () =>
    expectMistake(
      appWith({ owns: { copy: ConfigMap }, desired: () => ({ copy: { apiVersion: "v1", kind: "Secret", metadata: { name: "x" } } }) }),
      "has kind Secret and apiVersion v1, but the slot is for ConfigMap",
    ));

  it("two slots with the same object", () =>
    expectMistake(
      appWith({
        owns: { one: ConfigMap, two: ConfigMap },
        desired: () => ({ one: { metadata: { name: "x" } }, two: { metadata: { name: "x" } } }),
      }),
      "slots one and two both contain ConfigMap x",
    ));

  it("a list for a slot of one object, and the reverse", async () => {
    await expectMistake(
      appWith({ owns: { copy: ConfigMap }, desired: () => ({ copy: [{ metadata: { name: "x" } }] }) }),
      "slot copy: it is a list but must be one object",
      "many(ConfigMap)",
    );
    await scene?.end();
    await expectMistake(
      appWith({ owns: { parts: many(ConfigMap) }, desired: () => ({ parts: { metadata: { name: "x" } } }) }),
      "slot parts: it is one object but must be a list",
    );
  });

  it("writing to the object", () =>
    expectMistake(
      appWith({
        owns: { copy: ConfigMap },
        desired: ({ object }: { object: { spec: { image: string } } }) => {
          object.spec.image = "x";
          return { copy: undefined };
        },
      }),
      "it tried to change a cached object",
      "edit(object, (draft)",
    ));

  it("a random value, reported with its field", async () => {
    let count = 0;
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      owns: { copy: ConfigMap },
      desired: () => ({ copy: { metadata: { name: "copy" }, data: { roll: `${count++}` } } }),
    });
    await expectMistake(app, 'it returned two results for the same state: copy copy data[roll]: "1" → "2"');
  });

  it("the time, which may be equal twice: reported after the third change without a new generation", async () => {
    const app = createOperator({ name: "shop" });
    let now = 0;
    app.controller(WebApp, {
      owns: { copy: ConfigMap },
      desired: () => ({ copy: { metadata: { name: "copy" }, data: { at: `${now}` } } }),
    });
    const running = await start(app);
    await running.client.create(WebApp, { metadata: { name: "web" }, spec: { image: "shop:1" } });
    for (now = 1; now < 8; now++) {
      await running.settle(1000);
      for (const controller of running.run.controllers) controller.enqueue(objectKey("web", "default"));
    }
    await running.settle(10_000);
    const warnings = running.runtime.log.entries.filter(
      ({ level, message }) => level === "warn" && message.startsWith("desired keeps changing"),
    );
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.fields["fields"]).toMatch(/copy copy data\[at\]: "\d" → "\d"/);
    expect((await running.client.list(Event)).items.map(({ reason }) => reason)).toContain("DesiredFlaps");
  });
});

describe("mistakes in reconcile and status", () => {
  it("reading a kind that was not declared", () =>
    expectMistake(
      appWith({ reconcile: ({ get }: { get: (kind: unknown, name: string) => unknown }) => void get(Secret, "x") }),
      "controller of WebApp: Secret is read but not declared",
      "app.controller(WebApp, { reads: [Secret]",
      "live.get(Secret",
    ));

  it("writing to the object in an async function", () =>
    expectMistake(
      appWith({
        reconcile: async ({ object }: { object: { metadata: { labels?: object } } }) => {
          await Promise.resolve();
          object.metadata.labels = {};
        },
      }),
      "controller of WebApp, reconcile: it tried to change a cached object",
    ));

  it("an invalid result, and an invalid duration", async () => {
    await expectMistake(appWith({ reconcile: () => "soon" }), 'it returns "soon", which is not a valid result');
    await scene?.end();
    await expectMistake(
      appWith({ reconcile: () => ({ after: "10 minutes" }) }),
      'controller of WebApp, reconcile, after: "10 minutes" is not a valid duration',
      '"10m"',
    );
  });

  it("a status outside the schema, which the server would drop: the object reports it, and keeps its status", async () => {
    await expectMistake(
      appWith({ status: () => ({ reddy: 1, ready: 1 }) }),
      "controller of WebApp, status: it returns reddy, which is not in the schema of WebApp",
      "status: z.object({ reddy: z.…",
    );
    const stored = await scene?.client.get(WebApp, "web");
    expect(stored?.status?.conditions).toMatchObject([
      { type: "Reconciled", status: "False", reason: "ReconcileFailed" },
      { type: "Ready", status: "False", reason: "ReconcileFailed" },
    ]);
    expect(isStatusConditionTrue(stored?.status?.conditions ?? [], "Ready")).toBe(false);
  });
});

describe("missing permissions and definitions", () => {
  const denying = (isDenied: (asked: Attributes) => boolean): Authorizer => ({
    ...alwaysAllow,
    authorize: (asked) => Promise.resolve({ decision: asked.user.name === operatorUser && isDenied(asked) ? "no-opinion" : "allow" }),
  });
  const mayNotInstall = denying(({ group }) => group === "apiextensions.k8s.io");
  const app = (): Operator => appWith({ owns: { deployment: Deployment }, desired: () => ({ deployment: undefined }) });

  it("the definition is missing and may not be installed", async () => {
    const running = await start(app(), { authorizer: mayNotInstall });
    expect(running.failure()).toBeInstanceOf(MistakeError);
    expect(String(running.failure())).toContain(
      "definition webapps.demo.drover.dev: the server does not serve it, and this program is not allowed to install it",
    );
    expect(isOneScreen(String(running.failure()))).toBe(true);
  });

  it("the definition may not be installed but exists: the operator starts and logs it", async () => {
    const running = await start(app(), {
      authorizer: mayNotInstall,
      before: async (client) => void (await installResource(client, WebApp)),
    });
    expect(running.failure()).toBeUndefined();
    expect(running.runtime.log.entries.map(({ message }) => message)).toContain(
      "not allowed to install the definition of the resource, continuing with the installed one",
    );
  });

  it("the definition is missing and install is off: the start fails and names it", async () => {
    const running = await start(app(), { install: false });
    await running.settle(200_000);
    expect(String(running.failure())).toContain(
      "definition webapps.demo.drover.dev: the server does not serve it, and this program must not install it (install: false)",
    );
  });

  it("a permission is missing: the start fails and prints the roles that grant it", async () => {
    const running = await start(app(), { authorizer: denying(({ verb, resource }) => verb === "patch" && resource === "deployments") });
    expect(String(running.failure())).toContain("may not patch deployments.apps in all namespaces");
    expect(String(running.failure())).toContain("kind: ClusterRoleBinding");
  });
});
