import { describe, expect, it } from "vitest";
import { idleContext } from "../testing/idle-context.ts";
import { newPodGarbageCollector, podGarbageCollectorController } from "./pod-gc.ts";

describe("podGarbageCollectorController", () => {
  it("has upstream's names, watches two kinds, and declares its permissions", () => {
    const { context, controllers } = idleContext();
    podGarbageCollectorController.add(context);
    expect([podGarbageCollectorController.name, ...podGarbageCollectorController.aliases]).toEqual([
      "pod-garbage-collector-controller",
      "podgc",
    ]);
    expect(context.manager.state().controllers).toMatchObject([
      { name: "pod-garbage-collector-controller", workers: 1, watches: [{ name: "Pod" }, { name: "Node" }, { name: "every 20s" }] },
    ]);
    expect(
      controllers[0]?.needs.map(({ resource, subresource, verbs }) =>
        [subresource === undefined ? resource : `${resource}/${subresource}`, ...verbs].join(" "),
      ),
    ).toEqual(["nodes get", "pods delete", "pods/status patch", "pods list watch", "nodes list watch"]);
  });

  it("rejects an invalid limit", () => {
    for (const terminatedMax of [-1, 0.5, Number.NaN])
      expect(() => newPodGarbageCollector({ terminatedMax })).toThrow("terminatedMax must be a whole number");
  });
});
