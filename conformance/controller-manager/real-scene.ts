/** A scene of the controllers of our manager on a real API server, in real time. */
import { sleep } from "@drover/machinery";
import { nodeRuntime } from "drover";
import { sceneOn } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import type { Scene, SceneOptions } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

export async function realScene(server: SuiteServer, namespace: string, { nowMs: _nowMs, ...options }: SceneOptions = {}): Promise<Scene> {
  const runtime = nodeRuntime({ write: () => undefined });
  const { clock } = runtime;
  const transport = server.transport(runtime);
  return await sceneOn(
    {
      transport,
      clock,
      runtime: () => nodeRuntime({ write: () => undefined }),
      namespace,
      pass: (ms) => sleep(clock, Math.min(ms, 500)),
      end: () => transport.close(),
    },
    options,
  );
}
