/** Everything one sync of a StatefulSet needs, on an echoing transport. */
import type { PersistentVolumeClaim } from "@drover/api/core/v1";
import type { Status } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { StatefulSetRun } from "../statefulset/stateful-set-run.ts";
import type { ClaimView } from "../statefulset/stateful-set-view.ts";
import { syncedInformer } from "./synced-informer.ts";
import { echoServer } from "./echo-server.ts";
import type { EchoServer } from "./echo-server.ts";
import { recordingEvents } from "./recording-events.ts";
import type { RecordingEvents } from "./recording-events.ts";

export interface StatefulSetStage {
  readonly server: EchoServer;
  readonly events: RecordingEvents;
  readonly run: StatefulSetRun;
}

export async function statefulSetStage({
  refuse,
  claims = [],
}: {
  readonly refuse?: (what: string, count: number) => Status | undefined;
  readonly claims?: readonly ClaimView[];
} = {}): Promise<StatefulSetStage> {
  const server = echoServer(refuse);
  const events = recordingEvents();
  const { random } = testRuntime();
  return {
    server,
    events,
    run: {
      client: server.client,
      events,
      claims: await syncedInformer<PersistentVolumeClaim>(...claims),
      random,
      signal: new AbortController().signal,
    },
  };
}
