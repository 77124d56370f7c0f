import { ConfigMap } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { done } from "../reconcile/result.ts";
import { sourceRig } from "../sources/testing/source-rig.ts";
import { pushSource } from "../sources/push-source.ts";
import { buildController, buildObjectController, emptyPlan, withFor, withOwns, withSource, withWatches } from "./controller-plan.ts";

const { cluster, runtime } = sourceRig();
const empty = emptyPlan({ cluster });

describe("ControllerPlan", () => {
  it("is immutable: every step returns a new plan", () => {
    const begun = withFor(empty, ConfigMap, {});
    const ended = withSource(
      withWatches(withOwns(begun, ConfigMap, {}), ConfigMap, () => [], {}),
      pushSource("webhook", { runtime }),
    );
    expect([empty.subject, begun.sources.length, ended.sources.length]).toEqual([undefined, 0, 3]);
  });

  it("creates its sources when it is built, the one of for first, and new ones on each build", () => {
    const plan = withSource(withFor(empty, ConfigMap, { name: "mine" }), pushSource("webhook", { runtime }));
    const names = [buildController(plan, () => done), buildObjectController(plan, () => done)].map((controller) =>
      controller.state().watches.map(({ name }) => name),
    );
    expect(names).toEqual([
      ["mine", "webhook"],
      ["mine", "webhook"],
    ]);
    expect(plan.subject?.source([])).not.toBe(plan.subject?.source([]));
  });

  it("names the controller in errors as far as it is known", () => {
    expect(() => withOwns(empty, ConfigMap, {})).toThrow(/^controller builder: owns/u);
    expect(() => withFor(withFor(empty, ConfigMap, {}), ConfigMap, {})).toThrow(/^controller builder for ConfigMap: for/u);
    expect(() => buildController({ ...empty, name: "web" }, () => done)).toThrow(/^controller builder "web": nothing to watch/u);
  });
});
