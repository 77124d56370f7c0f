import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { shop } from "../tape/testing/tape-scene.ts";
import type { DebugReconcile } from "./reconcile-page.ts";
import { debugScene } from "./testing/debug-scene.ts";
import type { DebugScene } from "./testing/debug-scene.ts";

const own = { host: "127.0.0.1:4679", "drover-request": "reconcile" };
const shopOne = "reconcile?kind=deploy&name=shop&namespace=web";

/** Sends POST as `drover reconcile` does. */
async function post(scene: DebugScene, path: string, headers: Readonly<Record<string, string>> = own): Promise<readonly [number, unknown]> {
  const { status, body } = await scene.ask(path, { method: "POST", headers });
  return [status, JSON.parse(body as string)];
}

describe("POST /debug/drover/reconcile", () => {
  it("enqueues the key with a cause that says who asked, and returns the position of the tape", async () => {
    const scene = debugScene();
    scene.objects.set("Deployment web/shop", shop(1));
    await scene.run();
    const [status, answer] = await post(scene, shopOne);
    expect([status, answer]).toEqual([
      200,
      {
        at: scene.clock.now(),
        note: "asked by drover reconcile (request 1)",
        enqueued: [{ controller: "web", keys: 1 }],
        cursor: 1,
      },
    ]);
    await post(scene, shopOne);
    expect(scene.enqueued).toEqual(
      [1, 2].map((request) => ({
        key: objectKey("shop", "web"),
        options: { note: `asked by drover reconcile (request ${request})`, priority: 0 },
      })),
    );
  });

  it("enqueues all cached objects of all controllers, or of one, behind real changes", async () => {
    const scene = debugScene({ hasTape: false });
    for (const name of ["a", "b"]) scene.objects.set(`Deployment web/${name}`, shop(1));
    scene.objects.set("Pod web/p", shop(1));
    expect(await post(scene, "reconcile?all=true")).toMatchObject([200, { enqueued: [{ controller: "web", keys: 2 }] }]);
    expect(scene.enqueued.map(({ key, options }) => [key, options?.priority])).toEqual([
      ["web/a", -100],
      ["web/b", -100],
    ]);
    expect(((await post(scene, "reconcile?all=true&controller=web"))[1] as DebugReconcile).cursor).toBeUndefined();
    expect(await post(scene, "reconcile?all=true&controller=nope")).toMatchObject([400, { fix: "one of web" }]);
    expect(await post(scene, "reconcile?all=true&name=shop")).toMatchObject([400, { error: "all=true and name exclude each other" }]);
  });

  it("refuses what a web page of another site can send, and other methods", async () => {
    const scene = debugScene();
    scene.objects.set("Deployment web/shop", shop(1));
    const { host } = own;
    expect(await post(scene, shopOne, { host })).toMatchObject([
      403,
      { error: expect.stringContaining("drover-request: reconcile is missing") as string },
    ]);
    expect((await post(scene, shopOne, { host, "drover-request": "1" }))[0]).toBe(403);
    expect((await post(scene, shopOne, { ...own, origin: "http://localhost" }))[0]).toBe(403);
    expect((await post(scene, shopOne, { ...own, host: "evil.example" }))[0]).toBe(403);
    for (const method of ["GET", "OPTIONS", "PUT"]) {
      const { status, headers } = await scene.ask(shopOne, { method, headers: own });
      expect([status, headers["allow"]]).toEqual([405, "POST"]);
    }
    expect((await scene.ask("status", { method: "POST", headers: own })).headers["allow"]).toBe("GET");
    expect(scene.enqueued).toEqual([]);
  });

  it("refuses keys that would not run here: unknown, of another kind, of another replica", async () => {
    const scene = debugScene();
    scene.objects.set("Deployment other/shop", shop(1));
    expect(await post(scene, shopOne)).toMatchObject([404, { fix: "there is one in namespace other: use -n other" }]);
    expect(await post(scene, "reconcile?kind=po&name=shop")).toMatchObject([400, { error: "shop-operator does not reconcile Pod" }]);
    expect(await post(scene, "reconcile?kind=widget&name=shop")).toMatchObject([404, {}]);
    scene.objects.set("Deployment web/shop", shop(1));
    scene.foreign.add(objectKey("shop", "web"));
    expect(await post(scene, shopOne)).toMatchObject([
      409,
      { error: expect.stringContaining("another replica holds the shard") as string },
    ]);
    scene.state = { election: { lease: "home/shop", isLeader: false, leader: "other_1" } };
    expect(await post(scene, shopOne)).toMatchObject([
      409,
      { error: "other_1 holds the lease home/shop, so this replica reconciles nothing" },
    ]);
    scene.state = { phase: "starting" };
    expect(await post(scene, shopOne)).toMatchObject([409, { error: "the operator is starting, so nothing would run" }]);
    expect(scene.enqueued).toEqual([]);
  });
});
