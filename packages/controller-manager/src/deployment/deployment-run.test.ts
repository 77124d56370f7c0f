import { describe, expect, it } from "vitest";
import { echoServer } from "../testing/echo-server.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { deployment } from "../testing/workload-objects.ts";
import { writeDeploymentStatus } from "./deployment-run.ts";

describe("writeDeploymentStatus", () => {
  it("writes status and annotations with the observed resource version, and returns the server's object", async () => {
    const server = echoServer();
    const written = await writeDeploymentStatus(
      { ...server, events: recordingEvents(), signal: new AbortController().signal },
      deployment({ annotations: { a: "b" } }),
      { replicas: 2 },
    );
    expect(server.asked).toMatchObject([
      {
        what: "PUT deployments/web/status",
        body: { metadata: { annotations: { a: "b" }, resourceVersion: "1" }, status: { replicas: 2 } },
      },
    ]);
    expect(written.metadata.resourceVersion).toBe("1001");
  });
});
