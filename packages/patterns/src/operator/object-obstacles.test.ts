/** Why an operator does not reconcile an object, as a person asks for it: through the debug handler, on our own API server. */
import { ConfigMap, Secret } from "@drover/api/core/v1";
import { createDebugHandler } from "@drover/controller";
import type { DebugQueue, DebugTree, DebugWhy } from "@drover/controller";
import { afterEach, describe, expect, it } from "vitest";
import { createOperator, pausedAnnotation, terminal } from "../index.ts";
import type { Operator } from "../index.ts";
import { operatorScene } from "./operator-scene.ts";
import type { OperatorScene } from "./operator-scene.ts";
import { create, patch, WebApp } from "./testing/web-app.ts";

let scene: OperatorScene | undefined;
afterEach(async () => {
  await scene?.end();
  scene = undefined;
});

/** Runs the operator; returns it with a function that asks it. */
async function start(app: Operator): Promise<{
  readonly running: OperatorScene;
  readonly ask: <T>(path: string) => Promise<T>;
  readonly text: (path: string) => Promise<string>;
}> {
  const running = await operatorScene(app);
  scene = running;
  const { run, runtime, tape } = running;
  const handler = createDebugHandler({
    ...run.debugged,
    name: run.name,
    version: "1",
    pid: 1,
    startedAt: 0,
    clock: runtime.clock,
    manager: run.manager,
    tape,
  });
  const text = async (path: string): Promise<string> => {
    const { body } = await handler({ method: "GET", path: `/debug/drover/${path}`, headers: { host: "localhost" } });
    if (typeof body === "string") return body;
    let whole = "";
    const read = (async () => {
      for await (const piece of body as AsyncIterable<string>) whole += piece;
    })();
    await running.settle(1000);
    await read;
    return whole;
  };
  return { running, text, ask: async <T>(path: string) => JSON.parse(await text(path)) as T };
}

const reasonsOf = ({ explanations }: DebugWhy): readonly string[] => (explanations[0]?.obstacles ?? []).map(({ reason }) => reason);

/** Fails terminally, fails, or works, by image; keeps a ConfigMap; has a finalizer of its own. */
function shop(): Operator {
  const app = createOperator({ name: "shop" });
  app.controller(WebApp, {
    owns: { copy: ConfigMap },
    when: ({ spec: { image } }) => {
      if (image === "throws") throw new Error("no such image");
      return image !== "excluded";
    },
    desired: ({ object }) => ({ copy: { metadata: { name: object.metadata.name }, data: { image: object.spec.image } } }),
    reconcile: ({ object: { spec } }) => {
      if (spec.image === "stalled") throw terminal("there is no such image");
      if (spec.image === "failing") throw new Error("connection refused");
    },
  });
  return app;
}

describe("obstacles of an operator", () => {
  it("are a pause, when, a terminal failure and a backoff, and none for an object that works", async () => {
    const { running, ask } = await start(shop());
    for (const image of ["works", "excluded", "stalled", "failing"]) await create(running, image, { image });
    await create(running, "paused");
    await patch(running, "paused", { metadata: { annotations: { [pausedAnnotation]: "true" } } });
    await running.settle(3000);
    const why = (name: string): Promise<DebugWhy> => ask(`why?kind=webapp&name=${name}`);
    for (const [name, reason] of [
      ["works", undefined],
      ["paused", "Paused"],
      ["excluded", "Excluded"],
      ["stalled", "Stalled"],
      ["failing", "BackingOff"],
      ["none", "NotFound"],
    ] as const)
      expect([name, reasonsOf(await why(name))]).toEqual([name, reason === undefined ? [] : [reason]]);
    const paused = (await why("paused")).text;
    expect(paused[0]).toMatch(/it is paused\.$/);
    expect(paused[2]).toBe("    fix      kubectl annotate webapps.demo.drover.dev paused -n default drover.dev/paused-");
    expect((await why("stalled")).text[1]).toContain("there is no such image");
    const { keys } = await ask<DebugQueue>("queue");
    expect(keys).toMatchObject([
      { key: "default/failing", state: "waiting", error: expect.stringContaining("connection refused") as string },
    ]);
    const { tree } = await ask<DebugTree>("tree?kind=webapps&name=works");
    expect(tree.children.map(({ kind, key }) => `${kind} ${key}`)).toEqual(["ConfigMap default/works"]);
  });

  it("are finalizers of others, and a when that throws", async () => {
    const { running, ask } = await start(shop());
    await create(running, "kept");
    await patch(running, "kept", { metadata: { finalizers: ["other.example/backup"] } });
    await running.settle();
    await running.client.delete(WebApp, "kept");
    await create(running, "throws", { image: "throws" });
    await running.settle();
    const { text, explanations } = await ask<DebugWhy>("why?kind=webapp&name=kept");
    expect(reasonsOf({ explanations, text })).toEqual(["ForeignFinalizer"]);
    expect(text[1]).toContain("only other.example/backup keeps it");
    expect((await ask<DebugWhy>("why?kind=webapp&name=throws")).explanations[0]?.obstacles?.[0]).toMatchObject({
      reason: "Excluded",
      message: expect.stringContaining("no such image") as string,
    });
  });

  it("and all other answers contain no value of a Secret, and no value with a secret-looking name", async () => {
    const canary = "canary-7f3a";
    const encoded = Buffer.from(canary).toString("base64");
    const { running, text } = await start(shop());
    const { client, settle } = running;
    const annotation = { "kubectl.kubernetes.io/last-applied-configuration": `{"data":{"k":"${encoded}"}}` };
    await client.create(Secret, { metadata: { name: "cert", annotations: annotation }, data: { k: encoded, password: encoded } });
    await client.create(ConfigMap, { metadata: { name: "page", annotations: annotation }, data: { password: canary } });
    await create(running, "web", { tls: "cert", mounts: [{ from: "page" }] });
    await settle();
    await client.patch(Secret, "cert", { type: "merge", body: { data: { k: Buffer.from(`${canary}-2`).toString("base64") } } });
    await client.patch(ConfigMap, "page", { type: "merge", body: { data: { password: `${canary}-2` } } });
    await patch(running, "web", { spec: { image: "failing" } });
    await settle(2000);
    const paths = [
      "status",
      "queue",
      "why?kind=webapp&name=web",
      "why?kind=secret&name=cert",
      "why?kind=cm&name=page",
      "requests",
      "topology",
      "tree?kind=webapp&name=web",
      "tape?follow=false",
    ];
    const answers = await Promise.all(paths.map(text));
    expect(answers.find((answer) => answer.includes("Secret") && answer.includes("[redacted]"))).toBeDefined();
    for (const [index, answer] of answers.entries())
      for (const secret of [canary, encoded.slice(0, 12)]) expect([paths[index], answer.includes(secret)]).toEqual([paths[index], false]);
  });
});
