import { describe, expect, it } from "vitest";
import { idleContext } from "../testing/idle-context.ts";
import { newPodGarbageCollector, podGarbageCollectorController } from "./pod-gc.ts";

describe("the collector of pods", () => {
  it("has upstream's names, looks into two caches, and says what it must be allowed to do", () => {
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

  it("refuses a limit that is no count", () => {
    for (const terminatedMax of [-1, 0.5, Number.NaN])
      expect(() => newPodGarbageCollector({ terminatedMax })).toThrow("terminatedMax must be a whole number");
  });
});
