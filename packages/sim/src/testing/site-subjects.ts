/** Operators for tests: one that is right, and some with a bug that only faults show. */
import { ConfigMap, Secret } from "drover/kinds";
import { defineResource, operator } from "drover";
import { z } from "zod";
import type { Stage } from "../scene/scene.ts";
import type { Subject } from "../search/subject.ts";

export const Site = defineResource({
  group: "sim.drover.dev",
  version: "v1",
  kind: "Site",
  spec: z.object({ title: z.string(), host: z.string().optional() }),
  status: z.object({ token: z.string().optional() }),
});

const scene = async (stage: Stage): Promise<void> => {
  await stage.create(Site, { metadata: { name: "home" }, spec: { title: "one", host: "a.example" } });
  await stage.settled();
  await stage.patch(Site, "home", { spec: { title: "two" } });
  await stage.patch(Site, "home", { spec: { host: "b.example" } });
  await stage.settled();
  await stage.create(Site, { metadata: { name: "other" }, spec: { title: "other" } });
  await stage.settled();
  await stage.delete(Site, "other");
};

/** A ConfigMap for each Site, and a host name in a system outside that is released. */
export const healthySite: Subject = {
  namespace: "default",
  scene,
  programs: (sim) => {
    const names = sim.external("names", {
      state: () => new Map<string, string>(),
      methods: {
        claim: (state, uid: string | undefined, host: string | undefined) => {
          for (const [known, owner] of state) if (owner === uid && known !== host) state.delete(known);
          if (host !== undefined) state.set(host, uid ?? "");
        },
      },
      held: (state) => [...state.keys()].toSorted(),
    });
    const app = operator({ name: "sites" });
    app.controller(Site, {
      owns: { page: ConfigMap },
      desired: ({ object }) => ({ page: { metadata: { name: object.metadata.name }, data: { title: object.spec.title } } }),
      reconcile: async ({ object }) => {
        await names.claim(object.metadata.uid, object.spec.host);
      },
      cleanup: async ({ object }) => {
        await names.claim(object.metadata.uid, undefined);
      },
    });
    return { operator: app };
  },
};

/** Creates a Secret under a generated name and then records the name: a crash in between leaves a Secret that nothing refers to. */
export const forgetfulSite: Subject = {
  namespace: "default",
  scene,
  programs: () => {
    const app = operator({ name: "sites" });
    app.controller(Site, {
      reconcile: async ({ object, client }) => {
        if (object.status?.token !== undefined) return;
        const secret = await client.create(Secret, { metadata: { generateName: `${object.metadata.name}-`, namespace: "default" } });
        await client
          .resource(Site)
          .status.patch(object.metadata.name ?? "", { type: "merge", body: { status: { token: secret.metadata.name } } });
      },
    });
    return { operator: app };
  },
};

/** Claims the new host and releases the one that it remembers in memory: a restart forgets it. */
export const leakySite: Subject = {
  namespace: "default",
  scene,
  programs: (sim) => {
    const names = sim.external("names", {
      state: () => new Set<string>(),
      methods: { claim: (state, host: string) => state.add(host).size, release: (state, host: string) => state.delete(host) },
      held: (state) => [...state].toSorted(),
    });
    return {
      operator: (place) => {
        const claimed = new Map<string, string>();
        const app = operator({ name: "sites" });
        app.controller(Site, {
          reconcile: async ({ object, key }) => {
            const before = claimed.get(key);
            const { host } = object.spec;
            if (before !== undefined && before !== host) await names.release(before);
            if (host === undefined) return;
            await names.claim(host);
            claimed.set(key, host);
          },
        });
        return app.runOn(place);
      },
    };
  },
};
