import { ConfigMap, Namespace, Node, Pod } from "@drover/api/core/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startOurStage } from "./our-stage.ts";
import { play } from "./play.ts";
import { addNode, create, patch, remove, scene, sceneLabel, step, until } from "./scene.ts";
import { counts, gone, pod, podsReady, rest } from "./scene-objects.ts";
import type { Stage } from "./stage.ts";
import { trajectory } from "./trajectory.ts";

const config = create(ConfigMap, { metadata: { name: "a" }, data: { in: "$namespace" } });
const quick = { quietMs: 200, patienceMs: 10_000 };

describe("playing a scene", { timeout: 30_000 }, () => {
  let stage: Stage | undefined;
  beforeAll(async () => {
    stage = await startOurStage();
  }, 30_000);
  afterAll(async () => {
    await stage?.stop();
  }, 30_000);
  const on = (): Stage => {
    if (stage === undefined) throw new Error("the stage did not start");
    return stage;
  };

  it("records every version, step by step, and leaves nothing behind", async () => {
    const story = scene(
      "a story",
      step("create", [config], counts(ConfigMap, 1)),
      step("change", [patch(ConfigMap, "a", { data: { b: "1" } }), patch(ConfigMap, "a", { data: { b: "2" } })], rest),
      step("gone", [remove(ConfigMap, "a")], gone(ConfigMap)),
    );
    const { namespace, steps, versions } = await play(story, on(), quick);
    expect(namespace).toBe("scene-a-story");
    expect(steps.map(({ name, problem }) => [name, problem])).toEqual([
      ["create", undefined],
      ["change", undefined],
      ["gone", undefined],
    ]);
    const seen = versions
      .filter(({ kind }) => kind === "ConfigMap")
      .map(({ object, isDeleted }) => (isDeleted ? "deleted" : JSON.stringify((object as { readonly data?: unknown }).data)));
    expect(seen).toEqual(['{"in":"scene-a-story"}', '{"b":"1","in":"scene-a-story"}', '{"b":"2","in":"scene-a-story"}', "deleted"]);
    expect(
      (
        await on()
          .client.get(Namespace, namespace)
          .catch(() => undefined)
      )?.metadata.deletionTimestamp ?? "gone",
    ).not.toBe("");
  });

  it("ends at the step whose condition or action fails, and names it", async () => {
    const waits = scene(
      "waits",
      step(
        "create",
        [config],
        until("two of them", (view) => view.list(ConfigMap).length === 2),
      ),
      step("never", [], rest),
    );
    expect((await play(waits, on(), { ...quick, patienceMs: 500 })).steps.map(({ problem }) => problem)).toEqual([
      '"two of them" did not come about',
    ]);
    const fails = scene("fails", step("patch", [patch(ConfigMap, "nobody", {})], rest), step("never", [], rest));
    expect((await play(fails, on(), quick)).steps.map(({ problem }) => problem?.slice(0, 12))).toEqual(["patch failed"]);
  });

  it("uses its own nodes, without pods of other scenes", async () => {
    const here = { nodeSelector: { [sceneLabel]: "$namespace" }, tolerations: [{ key: sceneLabel, operator: "Exists" as const }] };
    const story = scene(
      "nodes",
      step(
        "node",
        [addNode("a")],
        counts(Node, 1, ({ status }) => status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true),
      ),
      step("pods", [create(Pod, pod("here", { spec: here })), create(Pod, pod("there"))], podsReady(2)),
    );
    const recording = await play(story, on(), quick);
    const last = trajectory(recording).at(-1)?.facts;
    expect([last?.get("problem"), last?.get("end of Pod here: spec.nodeName"), last?.get("end of Pod there: spec.nodeName")]).toEqual([
      undefined,
      '"$namespace-a"',
      '"$node"',
    ]);
    expect((await on().client.list(Node)).items.map(({ metadata }) => metadata.name).filter((name) => name?.startsWith("scene-"))).toEqual(
      [],
    );
  });
});
