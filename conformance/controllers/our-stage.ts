/** Our whole cluster in this process, in real time. */
import { startCluster } from "@drover/dev-cluster";
import { Recorder } from "./recorder.ts";
import { startRecording } from "./stage.ts";
import type { Stage } from "./stage.ts";

export async function startOurStage(): Promise<Stage> {
  const cluster = await startCluster({ nodes: 4, server: { admissionPlugins: { disable: ["ServiceAccount"] } } });
  const { client, kubelets, events } = cluster;
  const recorder = new Recorder(client);
  const { check, stopRecording } = await startRecording(recorder);
  let nodes = 4;
  return {
    name: "ours",
    client,
    recorder,
    check,
    wakeNode: async (name) => {
      nodes += 1;
      await kubelets.addNode({ name, podCidr: `10.245.${nodes}.0/24`, address: `172.19.0.${nodes}` });
    },
    told: async () => void (await events.flush({ timeoutMs: 10_000 })),
    stopNode: async (name) => await Promise.resolve(kubelets.stopNode(name)),
    stop: async () => {
      await stopRecording();
      await cluster.stop();
    },
  };
}
