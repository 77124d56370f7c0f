/** The real parts: etcd, kube-apiserver, kube-controller-manager, kube-scheduler, and kwok for the nodes. */
import { Node } from "@drover/api/core/v1";
import { createClient } from "@drover/client";
import { nodeRuntime } from "drover";
import { startRealCluster } from "../servers/real-cluster.ts";
import type { RealClusterOptions } from "../servers/real-cluster.ts";
import { realTransport } from "../servers/real-transport.ts";
import { Recorder } from "./recorder.ts";
import { startRecording } from "./stage.ts";
import type { Stage } from "./stage.ts";

const playedLabel = "drover.dev/played";

export const realStageOptions: RealClusterOptions = {
  scheduler: true,
  kwok: { count: 4, label: playedLabel },
  // These nodes have no volume provisioner; ours provisions volumes when the scheduler binds.
  without: ["persistentvolume-binder-controller", "persistentvolume-expander-controller"],
};

export async function startRealStage(name = "theirs"): Promise<Stage> {
  const server = await startRealCluster(realStageOptions);
  const runtime = nodeRuntime({ write: () => undefined });
  const transport = realTransport(server, runtime);
  const client = createClient({ transport, clock: runtime.clock, log: runtime.log, namespace: "default" });
  const recorder = new Recorder(client);
  const { check, stopRecording } = await startRecording(recorder);
  const setLabel = async (node: string, value: string | null): Promise<void> =>
    void (await client.patch(Node, node, { type: "merge", body: { metadata: { labels: { [playedLabel]: value } } } }));
  return {
    name,
    client,
    recorder,
    check,
    wakeNode: (node) => setLabel(node, "true"),
    // Without rate limits for Events and status updates.
    told: () => Promise.resolve(),
    stopNode: (node) => setLabel(node, null),
    stop: async () => {
      await stopRecording();
      transport.close();
      await server.stop();
    },
  };
}
