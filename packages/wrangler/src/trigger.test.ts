/** Wrangler's trigger on our server, on a manual clock: one run for any number of calls. */
import { ConfigMap, Node } from "@drover/api/core/v1";
import { relatedresource } from "./related-resource.ts";
import { newTrigger } from "./trigger.ts";
import { describe, expect, it } from "vitest";
import { wranglerRig } from "./testing/wrangler-rig.ts";

describe("a trigger of Wrangler", () => {
  it("runs once when it is registered, at once when it is called, and once more for however many calls come meanwhile (§3.39)", () =>
    wranglerRig(async ({ factory, signal, settle }) => {
      const runs: string[] = [];
      const [first, second] = [newTrigger(factory.controller(ConfigMap), "first"), newTrigger(factory.controller(ConfigMap), "second")];
      first.onTrigger(signal, "first", () => void runs.push("first"));
      second.onTrigger(signal, "second", () => void runs.push("second"));
      await Promise.all([factory.start(signal), settle(2000)]);
      expect(runs.toSorted()).toEqual(["first", "second"]);
      for (let call = 0; call < 5; call++) first.trigger();
      await settle();
      expect(runs.toSorted()).toEqual(["first", "first", "first", "second"]);
    }));

  it("never overlaps with itself, and runs again when it was asked for during a run (§3.39)", () =>
    wranglerRig(async ({ factory, signal, settle }) => {
      const log: string[] = [];
      const ends: (() => void)[] = [];
      const trigger = newTrigger(factory.controller(ConfigMap), "slow");
      trigger.onTrigger(signal, "slow", async () => {
        log.push("begins");
        await new Promise<void>((resolve) => void ends.push(resolve));
        log.push("ends");
      });
      await Promise.all([factory.start(signal), settle(2000)]);
      trigger.trigger();
      await settle();
      expect(log).toEqual(["begins"]);
      ends.shift()?.();
      await settle();
      expect(log).toEqual(["begins", "ends", "begins"]);
      ends.shift()?.();
      await settle();
    }));

  it("is tried again when it fails, and is none of the other handlers' objects (§3.39)", () =>
    wranglerRig(async ({ factory, signal, settle, cluster }) => {
      let runs = 0;
      const seen: string[] = [];
      const nodes = factory.controller(Node);
      nodes.onChange(signal, "look", (_key, object) => void (object !== undefined && seen.push(object.metadata.name ?? "")));
      newTrigger(nodes, "count").onTrigger(signal, "count", () => {
        runs++;
        if (runs < 3) throw new Error("not yet");
      });
      await Promise.all([factory.start(signal), settle(2000)]);
      await cluster.client.create(Node, { metadata: { name: "node-1" } });
      await settle(5000);
      expect([runs, seen]).toEqual([3, ["node-1"]]);
    }));

  it("can be what a related resource makes due (§3.39)", () =>
    wranglerRig(async ({ factory, signal, settle, cluster }) => {
      let runs = 0;
      const configMaps = factory.controller(ConfigMap);
      const trigger = newTrigger(configMaps, "all");
      trigger.onTrigger(signal, "all", () => void runs++);
      relatedresource.watch(signal, "all-config-maps", () => [trigger.key()], configMaps, configMaps);
      await Promise.all([factory.start(signal), settle(2000)]);
      const before = runs;
      await cluster.client.create(ConfigMap, { metadata: { name: "page", namespace: "shop" } });
      await settle();
      expect(runs - before).toBe(1);
    }));
});
