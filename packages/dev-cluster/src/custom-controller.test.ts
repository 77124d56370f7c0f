import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigMap, Namespace } from "@drover/api/core/v1";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { builtInControllers, createControllerManager } from "@drover/controller-manager";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { teamConfigController } from "./testing/team-config-controller.ts";

describe("a custom controller in the manager", () => {
  it("is selected by its alias and runs beside built-in controllers", async () => {
    const runtime = testRuntime();
    const server = await createApiServer({ runtime, host: nodeHost });
    const program = createControllerManager({
      runtime,
      transport: server.handle,
      known: [...builtInControllers, teamConfigController],
      controllers: ["namespace", "team-config"],
    });
    const stop = new AbortController();
    const running = program.run(stop.signal);
    const { client } = program.manager.cluster;
    const data = async (): Promise<unknown> => (await client.get(ConfigMap, "team", { namespace: "shop" })).data;
    await client.create(Namespace, { metadata: { name: "shop", labels: { team: "web" } } });
    await runtime.clock.advance(1000);
    expect([program.controllers, await data()]).toEqual([["namespace-controller", "team-config-controller"], { team: "web" }]);
    await client.delete(ConfigMap, "team", { namespace: "shop" });
    await runtime.clock.advance(1000);
    expect(await data()).toEqual({ team: "web" });
    stop.abort();
    await runtime.clock.advance(60_000);
    await running;
    server.close();
  });

  it("is shown in the README of controller-manager as it is tested here", () => {
    const read = (...path: readonly string[]): string => readFileSync(join(import.meta.dirname, ...path), "utf8");
    const [, ...sample] = read("testing", "team-config-controller.ts").split("\n");
    expect(read("..", "..", "controller-manager", "README.md")).toContain(`\`\`\`ts\n${sample.join("\n")}\`\`\`\n`);
  });
});
