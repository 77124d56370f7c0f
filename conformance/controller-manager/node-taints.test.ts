/** The taints that follow from the conditions of a node: how often they are written, and what happens on a conflict. */
import { Node } from "@drover/api/core/v1";
import type { TransportWrapper } from "@drover/client";
import { formatTime } from "@drover/machinery";
import { expect, it } from "vitest";
import type { Scene } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import { describeScenes } from "./stages.ts";
import type { OpenScene } from "./stages.ts";

interface Stage {
  readonly scene: Scene;
  readonly name: string;
  /** The answers to writes of the node itself, in order. */
  readonly answers: number[];
  /** Called once, when the next write is on its way. */
  readonly meanwhile: (act: () => Promise<unknown>) => void;
  readonly report: (status: "True" | "False" | "Unknown") => Promise<unknown>;
  /** Waits until the node has exactly these NoSchedule taints. */
  readonly tainted: (...keys: readonly string[]) => Promise<void>;
}

async function stage(open: OpenScene): Promise<Stage> {
  const answers: number[] = [];
  let act: (() => Promise<unknown>) | undefined;
  let path = "";
  const wrapper: TransportWrapper = (next) => async (request) => {
    if (request.method !== "PATCH" || request.path.replace(/\?.*$/, "") !== path) return await next(request);
    const first = act;
    act = undefined;
    await first?.();
    const response = await next(request);
    answers.push(response.status);
    return response;
  };
  const scene = await open({ controllers: ["node-lifecycle-controller"], wrapper: () => wrapper });
  const name = `node-of-${scene.client.namespace}`;
  path = `/api/v1/nodes/${name}`;
  await scene.client.create(Node, { metadata: { name } });
  const taints = async (): Promise<string> =>
    ((await scene.client.get(Node, name)).spec?.taints ?? [])
      .filter(({ effect }) => effect === "NoSchedule")
      .map(({ key }) => key.replace("node.kubernetes.io/", ""))
      .toSorted()
      .join();
  return {
    scene,
    name,
    answers,
    meanwhile: (given) => void (act = given),
    report: (status) =>
      scene.client.resource(Node).status.patch(name, {
        type: "strategic",
        body: {
          status: {
            conditions: [
              { type: "Ready", status, reason: "Test", message: "", lastHeartbeatTime: formatTime(0), lastTransitionTime: formatTime(0) },
            ],
          },
        },
      }),
    tainted: (...keys) => scene.until(`the taints are ${keys.join()}`, async () => (await taints()) === keys.join()),
  };
}

describeScenes("C014: the taints of a node", (open) => {
  it("are added, replaced and removed with one write each, and not written when nothing changed", async () => {
    const { scene, answers, report, tainted } = await stage(open);
    await report("True");
    await tainted();
    // The taints can be read before their writer has its answer.
    await scene.settle(500);
    answers.length = 0;
    await report("False");
    await tainted("not-ready");
    await scene.settle(10_000);
    expect(answers.splice(0)).toEqual([200]);
    await report("Unknown");
    await tainted("unreachable");
    await scene.settle(10_000);
    expect(answers.splice(0)).toEqual([200]);
    await report("True");
    await tainted();
    await scene.settle(10_000);
    expect(answers).toEqual([200]);
  });

  it("are retried after a conflict, and keep the other writer's change", async () => {
    const { scene, name, answers, meanwhile, report, tainted } = await stage(open);
    await report("True");
    await tainted();
    // The taints can be read before their writer has its answer.
    await scene.settle(500);
    answers.length = 0;
    meanwhile(() =>
      scene.client.patch(Node, name, { type: "merge", body: { spec: { taints: [{ key: "example.com/mine", effect: "NoSchedule" }] } } }),
    );
    await report("False");
    await tainted("example.com/mine", "not-ready");
    await scene.settle(1000);
    expect(answers).toEqual([409, 200]);
  });
});
