import { ConfigMap, Pod, ResourceQuota, Service } from "@drover/api/core/v1";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { isAlreadyExists, isForbidden, isNotFound } from "@drover/machinery";
import type { Kind } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNotServedYet, openManualScene, runControllers } from "../testing/controllers-scene.ts";
import type { SceneServer } from "../testing/controllers-scene.ts";
import { idleContext } from "../testing/idle-context.ts";
import { resourceQuotaController } from "./resource-quota-controller.ts";

type Amounts = Readonly<Record<string, string>>;

const usedOf = async ({ client }: SceneServer, name = "q"): Promise<Amounts> =>
  ((await client.get(ResourceQuota, name)).status?.used ?? {}) as Amounts;
const isUsed = async (scene: SceneServer, expected: Amounts): Promise<boolean> => {
  const used = await usedOf(scene);
  return Object.entries(expected).every(([resource, amount]) => used[resource] === amount);
};
const quota = (hard: Amounts): ResourceQuota => ({ metadata: { name: "q" }, spec: { hard: { ...hard } } });
const pod = (name: string, cpu = "100m"): Pod => ({
  metadata: { name },
  spec: { containers: [{ name: "c", image: "i", resources: { requests: { cpu } } }] },
});

async function withScene(test: (scene: SceneServer) => Promise<void>, seed = 1): Promise<void> {
  const scene = await openManualScene(seed);
  const running = runControllers(scene, { controllers: [resourceQuotaController] });
  await test(scene);
  await running.end();
  await scene.close();
}

describe("resourceQuotaController", () => {
  it("has upstream's names, and declares its permissions", () => {
    const { context, controllers } = idleContext();
    resourceQuotaController.add(context);
    expect([resourceQuotaController.name, resourceQuotaController.aliases]).toEqual(["resourcequota-controller", ["resourcequota"]]);
    expect(
      controllers[0]?.needs.map(({ resource, subresource, verbs }) => [resource, subresource, ...verbs].filter(Boolean).join(" ")),
    ).toEqual(["resourcequotas status update", "resourcequotas list watch"]);
  });

  it("counts what is there before the quota, and gives back what is deleted or has ended", async () => {
    await withScene(async (scene) => {
      const { client } = scene;
      for (const name of ["a", "b"]) await client.create(Pod, pod(name));
      await client.create(ResourceQuota, quota({ pods: "3", "requests.cpu": "1", "count/pods": "5" }));
      await scene.until("it has counted", () => isUsed(scene, { pods: "2", "requests.cpu": "200m", "count/pods": "2" }));
      const ended = await client.get(Pod, "a");
      await client.resource(Pod).status.update({ ...ended, status: { ...ended.status, phase: "Succeeded" } });
      await scene.until("it counts less", () => isUsed(scene, { pods: "1", "requests.cpu": "100m", "count/pods": "2" }));
      await client.delete(Pod, "a", { gracePeriodSeconds: 0 });
      await scene.until("it counts fewer", () => isUsed(scene, { pods: "1", "count/pods": "1" }));
    });
  });

  it("follows the limits of a quota, and forgets what is no longer limited", async () => {
    await withScene(async (scene) => {
      const { client } = scene;
      await client.create(ResourceQuota, quota({ configmaps: "3" }));
      await scene.until("it has counted", () => isUsed(scene, { configmaps: "0" }));
      await client.patch(ResourceQuota, "q", { type: "merge", body: { spec: { hard: { configmaps: null, secrets: "1" } } } });
      await scene.until("it counts others", () => isUsed(scene, { secrets: "0" }));
      expect((await client.get(ResourceQuota, "q")).status).toEqual({ hard: { secrets: "1" }, used: { secrets: "0" } });
    });
  });

  it("counts custom resources that are defined while it runs", async () => {
    await withScene(async (scene) => {
      const { client } = scene;
      await client.create(ResourceQuota, quota({ "count/widgets.example.com": "1" }));
      await scene.calm(10_000);
      await client.create(CustomResourceDefinition, {
        metadata: { name: "widgets.example.com" },
        spec: {
          group: "example.com",
          scope: "Namespaced",
          names: { plural: "widgets", kind: "Widget" },
          versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
        },
      });
      const widget = { group: "example.com", version: "v1", kind: "Widget", plural: "widgets", scope: "Namespaced" } as Kind;
      await scene.until("they are counted", () => isUsed(scene, { "count/widgets.example.com": "0" }));
      await scene.until("they are served", async () => {
        try {
          await client.dynamic(widget).create({ metadata: { name: "a" } });
          return true;
        } catch (error) {
          if (isNotServedYet(error)) return false;
          throw error;
        }
      });
      await expect(client.dynamic(widget).create({ metadata: { name: "b" } })).rejects.toThrow("exceeded quota: q");
      await client.dynamic(widget).delete("a");
      await scene.until("it is given back", () => isUsed(scene, { "count/widgets.example.com": "0" }));
    });
  });

  it("ends with the truth, and never allows too much, whatever several writers do", async () => {
    const write = fc.record({
      verb: fc.constantFrom("create", "create", "delete", "finish", "type"),
      name: fc.integer({ min: 0, max: 9 }),
      cpu: fc.constantFrom("100m", "250m", "1"),
      pauseMs: fc.constantFrom(0, 0, 20, 3000),
    });
    const writers = fc.array(fc.array(write, { maxLength: 10 }), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(writers, fc.integer({ min: 1, max: 1000 }), (plans, seed) =>
        withScene(async (scene) => {
          const { client, runtime } = scene;
          await client.create(ResourceQuota, quota({ pods: "3", "requests.cpu": "2", configmaps: "4", "services.nodeports": "2" }));
          await scene.until("it has counted", () => isUsed(scene, { pods: "0", configmaps: "0" }));
          let checks = 0;
          const play = async (plan: (typeof plans)[number]): Promise<void> => {
            for (const step of plan) {
              await carryOut(scene, step);
              await new Promise<void>((resolve) => runtime.clock.timer(step.pauseMs, resolve));
              const used = await usedOf(scene);
              expect(Number(used["pods"])).toBeLessThanOrEqual(3);
              expect(Number(used["configmaps"])).toBeLessThanOrEqual(4);
              checks++;
            }
          };
          const playing = Promise.all(plans.map(play));
          await scene.until("all are done", () => checks === plans.flat().length);
          await playing;
          // After the regular count even reservations of writes that failed are given back.
          await scene.calm(5 * 60_000 + 5000);
          const real = await truth(scene);
          expect(await usedOf(scene)).toEqual(real);
          expect([Number(real["pods"]) <= 3, Number(real["configmaps"]) <= 4, Number(real["services.nodeports"]) <= 2]).toEqual([
            true,
            true,
            true,
          ]);
        }, seed),
      ),
      { numRuns: 10 },
    );
  }, 60_000);
});

interface Write {
  readonly verb: string;
  readonly name: number;
  readonly cpu: string;
}

/** Errors that a writer expects: refused, taken, gone, changed. */
async function carryOut({ client }: SceneServer, { verb, name: number, cpu }: Write): Promise<void> {
  const name = `n${number}`;
  const isPod = number < 4;
  try {
    if (number > 7) {
      const type = verb === "type" ? "ClusterIP" : "NodePort";
      if (verb === "delete") await client.delete(Service, name);
      else if (verb === "create") await client.create(Service, { metadata: { name }, spec: { type, ports: [{ port: 1 }] } });
      else await client.patch(Service, name, { type: "merge", body: { spec: { type } } });
    } else if (verb === "create") await (isPod ? client.create(Pod, pod(name, cpu)) : client.create(ConfigMap, { metadata: { name } }));
    else if (verb === "delete") await (isPod ? client.delete(Pod, name, { gracePeriodSeconds: 0 }) : client.delete(ConfigMap, name));
    else if (isPod) await client.resource(Pod).status.patch(name, { type: "merge", body: { status: { phase: "Failed" } } });
  } catch (error) {
    if (!isForbidden(error) && !isAlreadyExists(error) && !isNotFound(error)) throw error;
  }
}

/** What the stored objects use. */
async function truth({ client }: SceneServer): Promise<Amounts> {
  const pods = (await client.list(Pod)).items.filter(({ status }) => status?.phase !== "Failed");
  const milli = pods.reduce((sum, { spec }) => sum + milliOf(spec?.containers[0]?.resources?.requests?.["cpu"]), 0);
  const services = (await client.list(Service)).items.filter(({ spec }) => spec?.type === "NodePort");
  return {
    configmaps: String((await client.list(ConfigMap)).items.length),
    pods: String(pods.length),
    "requests.cpu": milli % 1000 === 0 ? String(milli / 1000) : `${milli}m`,
    "services.nodeports": String(services.length),
  };
}

const milliOf = (cpu: string | number | undefined): number =>
  String(cpu).endsWith("m") ? Number(String(cpu).slice(0, -1)) : Number(cpu) * 1000;
