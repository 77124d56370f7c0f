/** The servers on which suites of controllers run, scene by scene: our own on a manual clock, and the real one if it is built. */
import { afterAll, afterEach, beforeAll, beforeEach, describe } from "vitest";
import { manualScene } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import { realScene } from "./real-scene.ts";
import type { Scene, SceneOptions } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import { realTransport } from "../servers/real-transport.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

/** Opens a scene; it is closed after the test. */
export type OpenScene = (options?: SceneOptions) => Promise<Scene>;

/** Defines the tests of a suite once for each server. On the real one each test has its own namespace. */
export function describeScenes(name: string, suite: (open: OpenScene) => void): void {
  describe(`${name}, on our server`, () => suite(closing((options) => manualScene(options))));
  describe(`${name}, on the real server`, () => {
    let server: SuiteServer | undefined;
    let count = 0;
    beforeAll(async () => {
      if (realServerMissing !== undefined) return;
      const started = await startRealServer();
      server = { ...started, transport: (deps) => realTransport(started, deps) };
    }, 90_000);
    afterAll(async () => await server?.stop(), 30_000);
    beforeEach((ctx) => {
      if (server === undefined) ctx.skip(realServerMissing);
    });
    suite(
      closing((options) => {
        if (server === undefined) throw new Error("no server");
        return realScene(server, `scene-${count++}`, options);
      }),
    );
  });
}

function closing(open: OpenScene): OpenScene {
  const scenes: Scene[] = [];
  afterEach(async () => {
    for (const scene of scenes.splice(0)) await scene.close();
  }, 60_000);
  return async (options) => {
    const scene = await open(options);
    scenes.push(scene);
    return scene;
  };
}
