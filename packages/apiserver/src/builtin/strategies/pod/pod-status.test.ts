import type { Pod, PodStatus } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { samplePod, texts } from "../../../testing/workload-sample.ts";
import { keepPodStatusFields, podStatusWarnings, validatePodStatusUpdate } from "./pod-status.ts";

const pod = (status: PodStatus, spec: Parameters<typeof samplePod>[0] = {}): Pod => ({ ...samplePod(spec), status });
const state = (name: string, exitCode?: number): NonNullable<PodStatus["containerStatuses"]>[number] => ({
  name,
  image: "",
  imageID: "",
  ready: false,
  restartCount: 0,
  state: exitCode === undefined ? { running: {} } : { terminated: { exitCode } },
});

describe("pod status update", () => {
  it("keeps fields that the kubelet does not know", () => {
    const [next, old] = [
      pod({ conditions: [{ type: "Ready", status: "True" }] }),
      pod({ qosClass: "Burstable", observedGeneration: 2, conditions: [{ type: "Ready", status: "False", observedGeneration: 2 }] }),
    ];
    keepPodStatusFields(next, old);
    expect(next.status).toEqual({
      qosClass: "Burstable",
      observedGeneration: 2,
      conditions: [{ type: "Ready", status: "True", observedGeneration: 2 }],
    });
  });

  it("refuses to change the QoS class", () => {
    expect(texts(validatePodStatusUpdate(pod({ qosClass: "Guaranteed" }), pod({ qosClass: "Burstable" })))).toEqual([
      'status.qosClass: Invalid value: "Guaranteed": field is immutable',
    ]);
  });

  it("refuses to restart terminated containers", () => {
    const back = (restartPolicy: string, exitCode: number): string[] =>
      texts(
        validatePodStatusUpdate(
          pod({ containerStatuses: [state("c")] }, { restartPolicy }),
          pod({ containerStatuses: [state("c", exitCode)] }, { restartPolicy }),
        ),
      );
    expect(back("Always", 0)).toEqual([]);
    expect(back("OnFailure", 1)).toEqual([]);
    expect(back("OnFailure", 0)).toEqual(["status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state"]);
  });

  it("allows one address per family", () => {
    expect(texts(validatePodStatusUpdate(pod({ podIPs: [{ ip: "1.1.1.1" }, { ip: "::1" }] }), pod({})))).toEqual([]);
    expect(texts(validatePodStatusUpdate(pod({ podIPs: [{ ip: "1.1.1.1" }, { ip: "1.1.1.2" }] }), pod({})))).toEqual([
      'status.podIPs: Invalid value: [{"IP":"1.1.1.1"},{"IP":"1.1.1.2"}]: may specify no more than one IP for each IP family',
    ]);
    expect(texts(validatePodStatusUpdate(pod({ podIPs: [{ ip: "1.1.1.1" }, { ip: "" }] }), pod({}))).slice(1)).toEqual([
      "status.podIPs: Internal error: failed to check for dual stack with error:invalid IP[1]: ",
      'status.podIPs: Invalid value: [{"IP":"1.1.1.1"},{"IP":""}]: may specify no more than one IP for each IP family',
    ]);
    expect(podStatusWarnings(pod({ podIPs: [{ ip: "::0001" }] }))).toEqual([
      'status.podIPs[0].ip: IPv6 address "::0001" should be in RFC 5952 canonical format ("::1")',
    ]);
  });
});
